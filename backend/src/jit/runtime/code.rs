//! Compiled code: who owns it, and how it is entered.

use super::heap::{Context, Descriptor};
use super::saying::Saying;
use super::shape::Shape;
use super::stack::{self, Place};
use crate::arrays::{Operation, Storage, copy, export};
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module as _};
use gradus_ir::{Array, DType, Dims};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::Arc;

/// How compiled code is entered: the context, one word per scalar of the arguments, and room for those of the result. It returns 0,
/// or the code of a trap that it raised.
type Entry = extern "C" fn(*mut Context, *const u64, *mut u64) -> u32;

/// What ends a run: a value was written, or a trap was raised, with its code.
pub type Finished = Result<(), u64>;

/// Looks at the words of a result, while the run lasts, and at the memory that it took. It sets the word of an array that it takes away
/// to 0.
pub type Read<'a> = dyn FnMut(&mut [u64], Option<&mut Context>) + 'a;

/// What a run must provide.
#[derive(Clone, Copy)]
pub struct Needs {
    /// Words for results that do not fit in registers.
    pub results: usize,
    /// Bytes of the stack that are used between two checks.
    pub stack: usize,
    /// Whether it needs nothing at all, not even a context: it cannot trap, allocates nothing, uses little of the stack.
    pub nothing: bool,
    /// Whether it needs a stack of its own, since it may use much of it, or raise traps where it cannot return their codes to the host.
    pub own_stack: bool,
}

/// The words that code reads and writes.
pub struct Words {
    /// How many arguments there are.
    pub args: usize,
    /// How many results there are, and which of them are arrays.
    pub results: (usize, Vec<usize>),
    /// The trampoline of the function that the last result is: it takes the function object and its arguments. Likewise its results.
    pub pullback: Option<(FuncId, (usize, Vec<usize>))>,
}

/// What code points to.
pub type Pointees = (Vec<Arc<Shape>>, Vec<Arc<Operation>>, Vec<Arc<Saying>>);

/// Code and what it points to.
pub struct Code {
    module: ManuallyDrop<JITModule>,
    entry: Entry,
    _descriptors: Vec<Descriptor>,
    _pointees: Pointees,
    args: usize,
    /// How many results there are, and which of them are arrays.
    results: (usize, Vec<usize>),
    /// How the function that a result is can be called. Likewise its results.
    pullback: Option<(Entry, (usize, Vec<usize>))>,
    needs: Needs,
}

/// A run that has ended, with all of its memory and the function object that it left there.
pub struct Held {
    place: Option<Box<Place>>,
    object: u64,
    /// The code that ran, by its address: it is there for as long as the run is held.
    code: usize,
}

impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Held").finish_non_exhaustive()
    }
}

// SAFETY: what is in the memory of a run is tied to no thread, and whoever has the run has all of it.
unsafe impl Send for Held {}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(place) = self.place.take() {
            stack::give(place);
        }
    }
}

// SAFETY: nothing of a finished module is written to any more; a run has a context of its own.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Code {
    /// Takes over linked code, which is trusted to be right: trampolines have the signature of [`Entry`], read and write the words that
    /// `words` says; the code points into nothing but the descriptors and these pointees, and it needs what `needs` says.
    pub fn new(
        module: JITModule,
        trampoline: FuncId,
        descriptors: Vec<Descriptor>,
        pointees: Pointees,
        words: Words,
        needs: Needs,
    ) -> Code {
        let Words { args, results, pullback } = words;
        let entry = |trampoline| {
            let signature = &module.declarations().get_function_decl(trampoline).signature;
            assert!(signature.params.len() == 3 && signature.returns.len() == 1, "the host enters code through a trampoline");
            let entry = module.get_finalized_function(trampoline);
            // SAFETY: the trampoline was declared with the host's calling convention, three words and a status, as `Entry` is.
            unsafe { std::mem::transmute::<*const u8, Entry>(entry) }
        };
        let pullback = pullback.map(|(trampoline, results)| (entry(trampoline), results));
        let entry = entry(trampoline);
        let module = ManuallyDrop::new(module);
        Code { module, entry, _descriptors: descriptors, _pointees: pointees, args, results, pullback, needs }
    }

    /// Runs the code on words and nothing else, no arrays among the results; gives 0 or the code of a trap. What small functions
    /// cost is this, so it is short. Panics as [`Code::run`] does.
    #[inline]
    pub fn run_words(&self, args: &[u64], results: &mut [u64]) -> std::io::Result<u64> {
        if self.run_plain(args, results) {
            return Ok(0);
        }
        if self.needs.own_stack {
            return Ok(self.run(args, results, &mut |_, _| ())?.err().unwrap_or(0));
        }
        let mut place = stack::take()?;
        place.context.begin(0, self.needs.results);
        let code = (self.entry)(&raw mut place.context, args.as_ptr(), results.as_mut_ptr());
        stack::give(place);
        Ok(code.into())
    }

    /// Runs the code on words if it needs nothing of a run; false if it does. Panics if their numbers are not those of the entry.
    #[inline]
    fn run_plain(&self, args: &[u64], results: &mut [u64]) -> bool {
        assert!(args.len() == self.args && results.len() == self.results.0, "the entry takes and gives other numbers of words");
        if self.needs.nothing {
            let status = (self.entry)(std::ptr::null_mut(), args.as_ptr(), results.as_mut_ptr());
            debug_assert_eq!(status, 0, "code without places raises no trap");
        }
        self.needs.nothing
    }

    /// Runs the code on words, on a stack of its own if it needs one. Panics if their numbers are not those of the entry.
    /// Arrays among the results are there only while `read` looks at them, and so is the context, if the code has one.
    pub fn run(&self, args: &[u64], results: &mut [u64], read: &mut Read) -> std::io::Result<Finished> {
        if self.run_plain(args, results) {
            read(results, None);
            return Ok(Ok(()));
        }
        Ok(self.run_at(stack::take()?, args, results, read))
    }

    /// [`Code::run`] with memory that no run has had, so that what is taken is what this run takes.
    pub fn run_afresh(&self, args: &[u64], results: &mut [u64], read: &mut Read) -> std::io::Result<Finished> {
        Ok(self.run_at(stack::new()?, args, results, read))
    }

    /// [`Code::run`], whose memory stays: the last of the results is a function object in it.
    pub fn hold(&self, args: &[u64], results: &mut [u64], read: &mut Read) -> std::io::Result<Result<Held, u64>> {
        assert!(args.len() == self.args && results.len() == self.results.0, "the entry takes and gives other numbers of words");
        let mut place = stack::take()?;
        let finished = self.enter(self.entry, &self.results.1, &mut place, args, results, read);
        let object = *results.last().expect("the last result is a function");
        Ok(finished.map(|()| Held { place: Some(place), object, code: (&raw const *self).addr() }))
    }

    /// Calls the function that a run of this code has left, on words. What the call made is gone when it has ended. Panics if other
    /// code ran; whoever holds a run keeps the code.
    pub fn pull(&self, held: &mut Held, args: &[u64], results: &mut [u64], read: &mut Read) -> Finished {
        assert_eq!(held.code, (&raw const *self).addr(), "a function is called by the code that made it");
        let (entry, (gives, arrays)) = self.pullback.as_ref().expect("the code is that of a function and its pullback");
        assert_eq!(results.len(), *gives, "the function gives another number of words");
        let args = &[&[held.object], args].concat();
        let place = held.place.as_mut().expect("a run is held until it is dropped");
        let mark = place.context.mark();
        let finished = self.enter(*entry, arrays, place, args, results, read);
        place.context.reset(mark);
        finished
    }

    /// Runs the code at a place.
    #[inline]
    fn run_at(&self, mut place: Box<Place>, args: &[u64], words: &mut [u64], read: &mut Read) -> Finished {
        let finished = self.enter(self.entry, &self.results.1, &mut place, args, words, read);
        // After a trap the stack may have been used to its end: it goes, and its memory with it.
        if finished.is_ok() {
            stack::give(place);
        }
        finished
    }

    /// Enters the code at a place; `arrays` says which results are some.
    #[inline]
    fn enter(
        &self,
        entry: Entry,
        arrays: &[usize],
        place: &mut Place,
        args: &[u64],
        words: &mut [u64],
        read: &mut Read,
    ) -> Finished {
        let Place { stack, context } = place;
        let limit = if self.needs.own_stack { stack::limit(stack, self.needs.stack) } else { 0 };
        context.begin(limit, self.needs.results);
        let (running, results) = (&raw mut *context, words.as_mut_ptr());
        let code = if self.needs.own_stack {
            on_own_stack(stack, running, |running| entry(running, args.as_ptr(), results))
        } else {
            u64::from(entry(running, args.as_ptr(), results))
        };
        let finished = if code == 0 { Ok(()) } else { Err(code) };
        if finished.is_ok() {
            read(words, Some(context));
            for &array in arrays.iter().filter(|&&array| words[array] != 0) {
                // SAFETY: by the contract of `new`, the word is an array of this run, and the reference is that of the result.
                unsafe { context.arrays.release(words[array] as *mut u8) };
            }
        }
        finished
    }
}

/// Runs code as a coroutine, which a trap suspends for good. Gives the code of the trap, or what was returned.
fn on_own_stack(stack: &mut DefaultStack, context: *mut Context, run: impl FnOnce(*mut Context) -> u32) -> u64 {
    let body = move |yielder: &Yielder<(), u64>, ()| {
        // SAFETY: the context lives until this function returns, and nobody else refers to it.
        unsafe { (*context).yielder.set(yielder) };
        run(context)
    };
    // SAFETY: what `body` borrows outlives the coroutine, which ends here.
    let mut coroutine = unsafe { Coroutine::with_stack_unchecked(stack, body) };
    match coroutine.resume(()) {
        CoroutineResult::Return(status) => status.into(),
        CoroutineResult::Yield(code) => {
            // SAFETY: compiled code and helpers that raise a trap hold nothing that needs to be dropped.
            unsafe { coroutine.force_reset() };
            code
        }
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: the module is taken once, and no run can be under way, since runs borrow the code.
        unsafe { ManuallyDrop::take(&mut self.module).free_memory() };
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Code").field("args", &self.args).field("results", &self.results.0).finish_non_exhaustive()
    }
}

/// The words in the box whose address is a word of a result, so many; zeros of the zero box. As [`read_array`] for who may ask.
pub fn read_box(word: u64, words: usize) -> Vec<u64> {
    if word == 0 {
        return vec![0; words];
    }
    let content = std::ptr::with_exposed_provenance::<u64>(word as usize);
    // SAFETY: boxes among the results have a header and the words of the types that the code was compiled for.
    (1..=words).map(|i| unsafe { *content.add(i) }).collect()
}

/// The array whose address is a word of a result, as memory of its own: the block of the run itself, if that is large and nobody else
/// refers to it. As [`read_array`] for who may ask.
pub fn take_array(word: &mut u64, context: Option<&mut Context>, dtype: DType, shape: Dims) -> Storage {
    /// From so many bytes on, a block is taken: a smaller one is of more use to the next run.
    const LARGE: usize = 32 << 10;
    let elements = *word as *mut u8;
    if dtype.bytes() * shape.count() >= LARGE
        && let Some(context) = context
        // SAFETY: results are arrays of the run or arguments, with a reference each.
        && let Some(layout) = unsafe { context.arrays.detach(elements) }
    {
        *word = 0;
        let start = NonNull::new(elements).expect("an array has an address");
        // SAFETY: it was a block of the run with elements of this type, and is one no more.
        return unsafe { Storage::from_block(dtype, shape, start, layout) };
    }
    // SAFETY: results have the types that the code was compiled for.
    unsafe { copy(elements, dtype, shape) }
}

/// The array whose address is a word of a result. Only code that was compiled for it gives such a word, and only to who reads results
/// while the run lasts.
pub fn read_array(word: u64, dtype: DType, shape: Dims) -> Array {
    // SAFETY: results have the types that the code was compiled for.
    unsafe { export(word as *const u8, dtype, shape) }
}

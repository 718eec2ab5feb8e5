//! Values that are made once for all who ask for them, and the steps that compilations of one typed program share.

use crate::pipeline::Report;
use gradus_ad::{AdError, Plan};
use gradus_backend::{BackendError, jit};
use gradus_ir::Module;
use gradus_opt::egraph::Settled;
use gradus_opt::{Choice, Closures, Math};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// Values by what they are made of.
pub(crate) type Shared<K, V> = Arc<Mutex<HashMap<K, Arc<V>>>>;

/// A value of a map, made if it is not there.
pub(crate) fn shared<K: Eq + Hash, V, E>(all: &Shared<K, V>, key: K, make: impl FnOnce() -> Result<V, E>) -> Result<Arc<V>, E> {
    let lock = || all.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = lock().get(&key) {
        return Ok(known.clone());
    }
    let made = Arc::new(make()?);
    lock().insert(key, made.clone());
    Ok(made)
}

/// The steps that compilations of one typed program share where their options say so: a plan is carried out once on the program as it
/// was typed, equal modules are simplified once, and have the same native code.
#[derive(Clone, Default, Debug)]
pub(crate) struct Common {
    expanded: Shared<Plan, (Module, Report)>,
    simplified: Shared<Simplification, Simplified>,
    code: Shared<(u64, bool), jit::Compiled>,
}

/// A module by its fingerprint, and all that the simplifier is told.
type Simplification = (u64, (Math, Closures, bool), [usize; 3], Vec<&'static str>, Arc<Choice>);

#[derive(Debug)]
struct Simplified {
    module: Module,
    settled: Settled,
    report: gradus_opt::Report,
}

impl Common {
    /// Expands all derivatives of the typed program by a plan, or gives what became of it before.
    pub fn expand(
        &self,
        plan: &Plan,
        expand: impl FnOnce() -> Result<(Module, Report), AdError>,
    ) -> Result<(Module, Report), AdError> {
        shared(&self.expanded, plan.clone(), expand).map(|known| (*known).clone())
    }

    /// Simplifies a module, or gives what became of one like it.
    pub fn simplify(&self, m: &mut Module, options: &gradus_opt::Options, settled: &mut Settled) -> gradus_opt::Report {
        let gradus_opt::Options { math, closures, saturate, rounds, recompute, copies, without, rules, .. } = options;
        let numbers = [*rounds, *recompute, *copies];
        let key = (m.fingerprint(), (*math, *closures, *saturate), numbers, without.clone(), rules.clone());
        let simplify = || -> Result<Simplified, std::convert::Infallible> {
            let (mut module, mut settled) = (std::mem::take(m), settled.clone());
            let report = gradus_opt::simplify(&mut module, options, &mut settled);
            Ok(Simplified { module, settled, report })
        };
        let Ok(known) = shared(&self.simplified, key, simplify);
        (*m, *settled) = (known.module.clone(), known.settled.clone());
        known.report.clone()
    }

    /// The code of a module, or that of one like it.
    pub fn code(
        &self,
        m: &Module,
        interruptible: bool,
        build: impl FnOnce() -> Result<jit::Compiled, BackendError>,
    ) -> Result<Arc<jit::Compiled>, BackendError> {
        shared(&self.code, (m.fingerprint(), interruptible), build)
    }
}

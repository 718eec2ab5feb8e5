//! Arrays as NumPy writes them: `numpy.array2string` with its usual options.

use crate::array::DType;
use crate::value::{Array, Elements};

/// How long a line may be.
const LINE: usize = 75;
/// How many elements are written before those in the middle are left out, and how many are left at both ends of an axis then.
const THRESHOLD: usize = 1000;
const EDGE: usize = 3;
/// How many digits a float may have after its point.
const PRECISION: usize = 8;

/// As `str` writes it.
pub fn text(array: &Array) -> String {
    Writer::new(array, " ", LINE).write(" ")
}

/// As `repr` does.
pub fn repr(array: &Array) -> String {
    let (shape, is_empty) = (array.shape(), array.elements().is_empty());
    let text = format!("array({}", Writer::new(array, ", ", LINE - 1).write("       "));
    let mut extras = Vec::new();
    if is_empty && shape.len() > 1 || array.elements().len() > THRESHOLD {
        extras.push(format!("shape=({shape}{})", if shape.len() == 1 { "," } else { "" }));
    }
    if is_empty || array.dtype() == DType::F32 {
        extras.push(format!("dtype={}", array.dtype().numpy_name()));
    }
    if extras.is_empty() {
        return text + ")";
    }
    let extras = extras.join(", ") + ")";
    let last = text.rsplit('\n').next().map_or(0, |line| line.chars().count());
    text + if last + extras.len() + 2 > LINE { ",\n      " } else { ", " } + &extras
}

struct Writer<'a> {
    shape: Vec<usize>,
    format: Format<'a>,
    separator: &'a str,
    width: usize,
    is_long: bool,
}

impl<'a> Writer<'a> {
    fn new(array: &'a Array, separator: &'a str, width: usize) -> Writer<'a> {
        let shape: Vec<usize> = array.shape().iter().map(|&n| n as usize).collect();
        let is_long = array.elements().len() > THRESHOLD;
        let mut shown = Vec::new();
        places(&shape, 0, is_long, &mut shown);
        Writer { format: Format::new(array.elements(), &shown), shape, separator, width, is_long }
    }

    /// The text, whose further lines begin with `indent`.
    fn write(&self, indent: &str) -> String {
        if self.shape.contains(&0) { "[]".into() } else { self.axis(0, 0, indent, self.width) }
    }

    /// The part of the array from the element `first` on that has the axes from `axis` on.
    fn axis(&self, axis: usize, first: usize, indent: &str, width: usize) -> String {
        let Some((&count, inner)) = self.shape[axis..].split_first() else { return self.format.element(first) };
        let stride: usize = inner.iter().product();
        let next = format!("{indent} ");
        let mut parts = shown_of(count, self.is_long).map(|i| match i {
            Some(i) => self.axis(axis + 1, first + i * stride, &next, width - 1),
            None => "...".into(),
        });
        if !inner.is_empty() {
            let separator = format!("{}{}{indent}", self.separator.trim_end(), "\n".repeat(inner.len()));
            return format!("[{}]", parts.collect::<Vec<_>>().join(&separator));
        }
        let most = width - self.separator.trim_end().len().max(1);
        let (mut text, mut line) = (String::new(), indent.to_string());
        let mut word = parts.next();
        while let Some(this) = word {
            if line.len() > indent.len() && line.len() + this.len() > most {
                text.push_str(line.trim_end());
                text.push('\n');
                line = indent.into();
            }
            line.push_str(&this);
            word = parts.next();
            line.push_str(if word.is_some() { self.separator } else { "" });
        }
        format!("[{}]", &(text + &line)[indent.len()..])
    }
}

/// The indices along an axis of this length that are written; none stands for those that are left out.
fn shown_of(count: usize, is_long: bool) -> impl Iterator<Item = Option<usize>> {
    let is_cut = is_long && count > 2 * EDGE;
    let first = if is_cut { 0..EDGE } else { 0..count };
    let last = if is_cut { count - EDGE..count } else { 0..0 };
    first.map(Some).chain(is_cut.then_some(None)).chain(last.map(Some))
}

/// The numbers of the elements that are written.
fn places(shape: &[usize], first: usize, is_long: bool, out: &mut Vec<usize>) {
    let Some((&count, inner)) = shape.split_first() else { return out.push(first) };
    let stride: usize = inner.iter().product();
    shown_of(count, is_long).flatten().for_each(|i| places(inner, first + i * stride, is_long, out));
}

/// How the elements of an array are written: all in one width.
struct Format<'a> {
    elements: &'a Elements,
    /// Characters before and after the point.
    left: usize,
    right: usize,
    /// Digits of the exponent, if the floats have one.
    exponent: Option<usize>,
}

impl<'a> Format<'a> {
    fn new(elements: &'a Elements, shown: &[usize]) -> Format<'a> {
        let mut format = Format { elements, left: 0, right: 0, exponent: None };
        match elements {
            Elements::Bool(_) => format.left = 5,
            Elements::I64(all) => format.left = shown.iter().map(|&i| all[i].to_string().len()).max().unwrap_or(0),
            Elements::F32(_) | Elements::F64(_) => format.measure(shown),
        }
        format
    }

    fn float(&self, i: usize) -> f64 {
        match self.elements {
            Elements::F32(all) => all[i].into(),
            Elements::F64(all) => all[i],
            Elements::Bool(_) | Elements::I64(_) => unreachable!("an array of floats"),
        }
    }

    /// Finds the widths of floats.
    fn measure(&mut self, shown: &[usize]) {
        let (finite, others): (Vec<usize>, Vec<usize>) = shown.iter().partition(|&&i| self.float(i).is_finite());
        let sizes: Vec<f64> = finite.iter().map(|&i| self.float(i).abs()).filter(|x| *x != 0.0).collect();
        let (least, most) = sizes.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), &x| (a.min(x), b.max(x)));
        let is_scientific = !sizes.is_empty() && (most >= 1e8 || least < 1e-4 || most / least > 1000.0);
        let (mut left, mut right, mut digits) = (0, 0, 0);
        for i in finite {
            let (whole, fraction, exponent) = self.digits(i, is_scientific);
            (left, right) = (left.max(whole.len()), right.max(fraction.len()));
            digits = digits.max(exponent.len());
        }
        self.exponent = is_scientific.then(|| digits.saturating_sub(1));
        // What comes after the point: in scientific notation the exponent, too.
        let after = right + self.exponent.map_or(0, |size| size + 2);
        for i in others {
            left = left.max(special(self.float(i)).len().saturating_sub(after + 1));
        }
        (self.left, self.right) = (left, right);
    }

    /// The digits of a float before and after its point, and its exponent with its sign.
    fn digits(&self, i: usize, is_scientific: bool) -> (String, String, String) {
        let x = self.float(i);
        let shortest = match (self.elements, is_scientific) {
            (Elements::F32(all), true) => format!("{:e}", all[i]),
            (Elements::F32(all), false) => format!("{}", all[i]),
            (_, true) => format!("{x:e}"),
            (_, false) => format!("{x}"),
        };
        let parts = |text: &str| {
            let (number, exponent) = text.split_once('e').unwrap_or((text, ""));
            let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
            (whole.to_string(), fraction.trim_end_matches('0').to_string(), exponent.to_string())
        };
        let (mut whole, mut fraction, mut exponent) = parts(&shortest);
        if fraction.len() > PRECISION {
            let rounded = if is_scientific { format!("{x:.PRECISION$e}") } else { format!("{x:.PRECISION$}") };
            (whole, fraction, exponent) = parts(&rounded);
        }
        if is_scientific {
            let (sign, size) = exponent.strip_prefix('-').map_or(("+", &exponent[..]), |size| ("-", size));
            exponent = format!("{sign}{size:0>2}");
        }
        (whole, fraction, exponent)
    }

    fn element(&self, i: usize) -> String {
        match self.elements {
            Elements::Bool(all) => format!("{:>1$}", if all[i] { "True" } else { "False" }, self.left),
            Elements::I64(all) => format!("{:>1$}", all[i], self.left),
            Elements::F32(_) | Elements::F64(_) => {
                let (x, left, right) = (self.float(i), self.left, self.right);
                let after = right + self.exponent.map_or(0, |size| size + 2);
                if !x.is_finite() {
                    return format!("{:>1$}", special(x), left + 1 + after);
                }
                match self.exponent {
                    // All have as many digits: of the number, not of the shortest text that stands for it.
                    Some(size) => {
                        let text = format!("{x:.right$e}");
                        let (digits, exponent) = text.split_once('e').expect("an exponent");
                        let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |e| ('-', e));
                        let point = if right == 0 { "." } else { "" };
                        format!("{:>1$}e{sign}{exponent:0>size$}", format!("{digits}{point}"), left + 1 + right)
                    }
                    None => {
                        let (whole, fraction, _) = self.digits(i, false);
                        format!("{whole:>left$}.{fraction:<right$}")
                    }
                }
            }
        }
    }
}

/// What is no number, or infinite.
fn special(x: f64) -> &'static str {
    match x {
        x if x.is_nan() => "nan",
        x if x > 0.0 => "inf",
        _ => "-inf",
    }
}

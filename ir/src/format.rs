//! Text with values in it, as Python's `format` writes them: what a program prints, and the message of what fails.
//!
//! A template is text in which `{}` or `{:spec}` stands for the next value, `{:j}` or `{:specj}` for the next two, the parts of a
//! complex number, `{:r}` for an array or a string inside of something else, and `{{` and `}}` for braces.

mod arrays;

pub(crate) use arrays::{repr as array_repr, text as array_text};

use crate::key::quoted;
use crate::value::{Number, Rounding, Value};

/// The text of a template with these values in it.
pub fn fill<F: Number>(template: &str, values: &[Value<F>]) -> String {
    let (mut out, mut values) = (String::new(), values.iter());
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        let brace = &rest[at..];
        if brace.starts_with("{{") || brace.starts_with("}}") {
            out.push_str(&brace[..1]);
            rest = &brace[2..];
            continue;
        }
        let end = brace.find('}').expect("a template is well-formed");
        let spec = brace[1..end].trim_start_matches(':');
        match spec.strip_suffix('j') {
            Some(spec) => {
                let parts = [values.next(), values.next()].map(|v| v.cloned().unwrap_or(Value::None));
                out.push_str(&complex(&parts, spec));
            }
            None => out.push_str(&match values.next() {
                Some(Value::Array(array)) if spec == "r" => F::print_array(array, true),
                Some(Value::Str(text)) if spec == "r" => quoted(text),
                Some(v) => value(v, spec),
                None => String::new(),
            }),
        }
        rest = &brace[end + 1..];
    }
    out + rest
}

/// A piece of text as part of a template.
pub fn escape(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// A specification: `[[fill]align][sign][0][width][,][.precision][type]`.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Spec {
    fill: char,
    align: Option<char>,
    sign: char,
    width: usize,
    commas: bool,
    precision: Option<usize>,
    kind: Option<char>,
}

/// What a specification says; none if it is not one that is known.
fn parse(text: &str) -> Option<Spec> {
    let chars: Vec<char> = text.chars().collect();
    let is_align = |c: Option<&char>| c.is_some_and(|c| "<>^=".contains(*c));
    let mut spec = Spec { fill: ' ', align: None, sign: '-', width: 0, commas: false, precision: None, kind: None };
    let mut at = 0;
    if is_align(chars.get(1)) {
        (spec.fill, spec.align, at) = (chars[0], Some(chars[1]), 2);
    } else if is_align(chars.first()) {
        (spec.align, at) = (Some(chars[0]), 1);
    }
    if chars.get(at).is_some_and(|c| "+- ".contains(*c)) {
        spec.sign = chars[at];
        at += 1;
    }
    if chars.get(at) == Some(&'0') {
        if spec.align.is_none() {
            (spec.fill, spec.align) = ('0', Some('='));
        }
        at += 1;
    }
    let number = |at: &mut usize| {
        let start = *at;
        while chars.get(*at).is_some_and(char::is_ascii_digit) {
            *at += 1;
        }
        chars[start..*at].iter().collect::<String>().parse::<usize>().ok()
    };
    if chars.get(at).is_some_and(char::is_ascii_digit) {
        spec.width = number(&mut at)?;
    }
    if chars.get(at).is_some_and(|c| ",_".contains(*c)) {
        spec.commas = true;
        at += 1;
    }
    if chars.get(at) == Some(&'.') {
        at += 1;
        spec.precision = Some(number(&mut at)?);
    }
    if let Some(&kind) = chars.get(at) {
        spec.kind = Some(kind);
        at += 1;
    }
    let known = spec.kind.is_none_or(|k| "dfFeEgG%sn".contains(k));
    (at == chars.len() && known && spec.width <= 1000 && spec.precision.is_none_or(|p| p <= 300)).then_some(spec)
}

/// Whether values can be written by a specification.
pub fn is_known(spec: &str) -> bool {
    parse(spec).is_some()
}

/// A value by a specification. Strings are written without quotes.
fn value<F: Number>(v: &Value<F>, spec: &str) -> String {
    let spec =
        parse(spec).unwrap_or(Spec { fill: ' ', align: None, sign: '-', width: 0, commas: false, precision: None, kind: None });
    let (negative, digits, is_number) = match v {
        Value::F64(x) => signed(float(x, &spec)),
        Value::I64(i) if spec.kind.is_none_or(|k| k == 'd' || k == 'n') => signed(i.to_string()),
        Value::I64(i) => signed(float(&(*i as f64), &spec)),
        Value::Str(s) => (false, s.chars().take(spec.precision.unwrap_or(usize::MAX)).collect(), false),
        Value::Array(array) => (false, F::print_array(array, false), false),
        other => (false, other.to_string(), false),
    };
    let digits = if spec.commas && is_number { with_commas(&digits) } else { digits };
    let sign = match (negative, spec.sign, is_number) {
        (true, _, _) => "-",
        (false, '+', true) => "+",
        (false, ' ', true) => " ",
        _ => "",
    };
    let missing = spec.width.saturating_sub(digits.chars().count() + sign.len());
    let pad = |n: usize| spec.fill.to_string().repeat(n);
    match spec.align.unwrap_or(if is_number { '>' } else { '<' }) {
        '<' => format!("{sign}{digits}{}", pad(missing)),
        '^' => format!("{}{sign}{digits}{}", pad(missing / 2), pad(missing - missing / 2)),
        '=' => format!("{sign}{}{digits}", pad(missing)),
        _ => format!("{}{sign}{digits}", pad(missing)),
    }
}

/// The text of a number: whether it is negative, what is after its sign, and that it is a number.
fn signed(text: String) -> (bool, String, bool) {
    match text.strip_prefix('-') {
        Some(digits) => (true, digits.into(), true),
        None => (false, text, true),
    }
}

/// A complex number by its parts. Without a specification a real part that is zero is left out, and whole numbers have no point.
fn complex<F: Number>(parts: &[Value<F>; 2], spec: &str) -> String {
    if !spec.is_empty() {
        return format!("{}{}j", value(&parts[0], spec), value(&parts[1], &format!("+{spec}")));
    }
    let [real, imag] = parts.each_ref().map(|v| {
        let text = v.to_string();
        text.strip_suffix(".0").map_or(text.clone(), String::from)
    });
    let sign = if imag.starts_with('-') { "" } else { "+" };
    if real == "0" { format!("{imag}j") } else { format!("({real}{sign}{imag}j)") }
}

/// A float, or a number in its place.
fn float<F: Number>(x: &F, spec: &Spec) -> String {
    let precision = spec.precision.unwrap_or(6);
    let written = match (spec.kind, spec.precision) {
        (Some('f' | 'F'), _) => x.rounded(Rounding::Places(precision)),
        (Some('%'), _) => x.rounded(Rounding::Percent(precision)).map(|text| text + "%"),
        (Some('e' | 'E'), _) => x.rounded(Rounding::Digits(precision)).map(|text| exponent(&text)),
        (Some('g' | 'G' | 'n'), _) | (None, Some(_)) => general(x, precision.max(1), spec.kind.is_none()),
        _ => None,
    };
    written.unwrap_or_else(|| Value::F64(x.clone()).to_string())
}

/// The shortest decimal that comes back, as Python writes it.
pub fn repr(x: f64) -> String {
    match x.abs() {
        _ if x.is_nan() => "nan".into(),
        size if size.is_finite() && size != 0.0 && !(1e-4..1e16).contains(&size) => exponent(&format!("{x:e}")),
        _ => format!("{x:?}"),
    }
}

/// Rust's exponents as Python's: two digits at least, and a sign.
fn exponent(text: &str) -> String {
    let (digits, exponent) = text.split_once('e').expect("an exponent");
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |e| ('-', e));
    format!("{digits}e{sign}{exponent:0>2}")
}

/// So many significant digits, without zeros at the end; with `point`, a number without an exponent has one.
fn general<F: Number>(x: &F, digits: usize, point: bool) -> Option<String> {
    let scientific = x.rounded(Rounding::Digits(digits - 1))?;
    let (mantissa, power) = scientific.split_once('e').expect("an exponent");
    let trim = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text.to_string(),
    };
    let places = digits as i64 - 1 - power.parse::<i64>().expect("an exponent is an integer");
    if places < 0 || places > digits as i64 + 3 {
        return Some(exponent(&format!("{}e{power}", trim(mantissa))));
    }
    let text = trim(&x.rounded(Rounding::Places(places as usize))?);
    Some(if point && !text.contains('.') { text + ".0" } else { text })
}

fn with_commas(digits: &str) -> String {
    let whole = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let mut out = String::new();
    for (i, c) in digits[..whole].chars().enumerate() {
        if i > 0 && (whole - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out + &digits[whole..]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As CPython writes them.
    #[test]
    fn values_by_their_specifications() {
        let cases: &[(Value, &str, &str)] = &[
            (1.5.into(), "", "1.5"),
            (1e-7.into(), "", "1e-07"),
            (1e16.into(), "", "1e+16"),
            (1.0.into(), ".3f", "1.000"),
            ((-2.0 / 3.0).into(), "+.2f", "-0.67"),
            (3.0.into(), "+.1f", "+3.0"),
            (12345.678.into(), ",.1f", "12,345.7"),
            (12345.678.into(), ".3g", "1.23e+04"),
            (0.00012.into(), "g", "0.00012"),
            (12345.678.into(), ".2e", "1.23e+04"),
            (0.25.into(), ".0%", "25%"),
            (3.0.into(), ".3", "3.0"),
            (7_i64.into(), "04d", "0007"),
            ((-7_i64).into(), "04d", "-007"),
            (7_i64.into(), ">5", "    7"),
            (7_i64.into(), "<5", "7    "),
            (7_i64.into(), "*^5", "**7**"),
            (7_i64.into(), ".1f", "7.0"),
            (1234567_i64.into(), ",", "1,234,567"),
            (true.into(), "", "True"),
            (Value::Str("ab".into()), "4", "ab  "),
            ((-0.0).into(), ".1f", "-0.0"),
            (f64::INFINITY.into(), ".2f", "inf"),
        ];
        for (v, spec, expected) in cases {
            assert_eq!(value(v, spec), *expected, "{v} by {spec:?}");
        }
        assert_eq!(fill("x = {:.1f} {{{}}}", &[2.0.into(), 3_i64.into()]), "x = 2.0 {3}");
        assert_eq!(fill("{:j} {:j} {:.1fj}", &[1.0, -2.5, 0.0, 3.0, 1.0, 2.0].map(Value::F64)), "(1-2.5j) 3j 1.0+2.0j");
        assert!(!is_known("x") && !is_known(".2q") && !is_known("99999999999999999999") && is_known("1000"));
    }
}

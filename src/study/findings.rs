//! The sentences that the records of a study prove, each with the table and the plot that show it.
//!
//! Programs count once, at the arguments of the file. A way is *faster* than another if the intervals of their ratios to the function
//! itself do not meet and the times differ by more than 5 %.

use super::model::{FEATURES, Model, features};
use super::record::{Code, Record, Times};
use super::verdict::{SMALL, Verdict, compare, interval, throughout};
use super::ways::Names;
use crate::compare::{Estimate, geometric_mean, ratio, units};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A sentence with its proof.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Finding {
    /// A name, which that of its plot is, too.
    pub name: String,
    /// The sentence.
    pub text: String,
    /// Rows of cells, the head first.
    pub table: Vec<Vec<String>>,
    #[serde(skip)]
    pub(super) figure: Option<Figure>,
}

/// What is drawn.
#[derive(Clone, Debug)]
pub enum Figure {
    /// Figures with their intervals on a logarithmic axis, with a line at 1.
    Intervals { axis: String, rows: Vec<(String, Estimate)> },
    /// Points on logarithmic axes, with the diagonal.
    Points { axes: [String; 2], points: Vec<(f64, f64)> },
}

/// All findings of a study.
pub fn all(records: &[Record]) -> Vec<Finding> {
    let records: Vec<&Record> = records.iter().filter(|r| r.point.is_none()).collect();
    let mut orders: Vec<usize> = records.iter().map(|r| r.order).collect();
    orders.sort_unstable();
    orders.dedup();
    let mut found = Vec::new();
    for &order in &orders {
        let of: Vec<&Record> = records.iter().copied().filter(|r| r.order == order).collect();
        found.extend(time(order, &of));
        found.extend(memory(order, &of));
        found.extend(model(order, &of));
        found.extend(words(order, &of));
        found.extend(["forward", "trace"].iter().filter_map(|word| others(order, &of, word)));
        found.extend(variants(order, &of));
        found.extend(auto(order, &of));
    }
    found.extend(control(&records));
    found.extend(answers(&records));
    found.extend(failures(&records));
    found
}

/// The findings as Markdown: each sentence, and its table.
pub fn markdown(findings: &[Finding]) -> String {
    let line = |cells: &Vec<String>| format!("| {} |\n", cells.join(" | "));
    let one = |finding: &Finding| {
        let table = finding.table.split_first().map(|(head, rows)| {
            let rule = format!("|---|{}\n", "---:|".repeat(head.len() - 1));
            format!("\n{}{rule}{}", line(head), rows.iter().map(line).collect::<String>())
        });
        format!("## {}\n\n{}\n{}", finding.name, finding.text, table.unwrap_or_default())
    };
    findings.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// The records where both strategies ran, with their rows: closures, then stacks.
type Pair<'r> = (&'r Record, (&'r Code, &'r Times), (&'r Code, &'r Times));

fn pairs<'r>(order: usize, records: &[&'r Record]) -> Vec<Pair<'r>> {
    let of = |r: &'r Record| Some((r, r.base(&throughout("closure", order))?, r.base(&throughout("stack", order))?));
    records.iter().filter_map(|r| of(r)).collect()
}

/// A geometric mean in a sentence.
fn mean(numbers: &[f64]) -> String {
    if numbers.is_empty() { "-".into() } else { geometric_mean(numbers).to_string() }
}

fn time(order: usize, records: &[&Record]) -> Option<Finding> {
    let pairs = pairs(order, records);
    let compared: Vec<(&Record, Verdict, Estimate)> = pairs
        .iter()
        .map(|&(r, closure, stack)| {
            let (verdict, times) = compare(stack, closure);
            (r, verdict, times)
        })
        .collect();
    let count = |kind: Option<&str>, verdict: Verdict| {
        compared.iter().filter(|(r, v, _)| *v == verdict && kind.is_none_or(|k| r.kind == k)).count()
    };
    let times = |kind: Option<&str>| {
        let differing = compared.iter().filter(|(r, v, _)| *v != Verdict::Same && kind.is_none_or(|k| r.kind == k));
        differing.map(|(_, _, t)| t.value).collect::<Vec<f64>>()
    };
    let [same, stack, closure, open] = [Verdict::Same, Verdict::First, Verdict::Second, Verdict::Open].map(|v| count(None, v));
    let differing = pairs.len() - same;
    (!pairs.is_empty()).then(|| {
        let mut table = vec![
            ["kind", "programs", "same program", "stack faster", "closures faster", "open", "stack ÷ closures"]
                .map(String::from)
                .to_vec(),
        ];
        let mut kinds: Vec<&str> = compared.iter().map(|(r, ..)| &*r.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds.into_iter().map(Some).chain([None]) {
            let counts = [Verdict::Same, Verdict::First, Verdict::Second, Verdict::Open].map(|v| count(kind, v));
            let cells = [counts.iter().sum()].into_iter().chain(counts).map(|n: usize| n.to_string());
            table.push([kind.unwrap_or("all").to_owned()].into_iter().chain(cells).chain([mean(&times(kind))]).collect());
        }
        let mut rows: Vec<(String, Estimate)> =
            compared.iter().filter(|(_, v, _)| *v != Verdict::Same).map(|(r, _, t)| (r.program.clone(), *t)).collect();
        rows.sort_by(|a, b| a.1.value.total_cmp(&b.1.value));
        let of = match differing {
            0 => String::new(),
            _ => format!(
                " Of the other {differing}, the stack is faster in {stack}, closures in {closure}, and in {open} neither is; \
                 the stack takes {} times as long as closures (geometric mean).",
                mean(&times(None))
            ),
        };
        Finding {
            name: format!("time-{order}"),
            text: format!("Order {order}: closures and stacks make the same program in {same} of {} programs.{of}", pairs.len()),
            table,
            figure: Some(Figure::Intervals { axis: "time by stacks ÷ time by closures".into(), rows }),
        }
    })
}

fn memory(order: usize, records: &[&Record]) -> Option<Finding> {
    let pairs = pairs(order, records);
    let kept: Vec<(&Record, usize, usize)> = pairs.iter().map(|(r, c, s)| (*r, c.1.kept(), s.1.kept())).collect();
    let count = |is: fn(usize, usize) -> bool| kept.iter().filter(|(_, closure, stack)| is(*closure, *stack)).count();
    let [nothing, same, less, more] = [|c, s| c == 0 && s == 0, |c, s| c == s && c > 0, |c, s| s < c, |c, s| s > c]
        .map(|is: fn(usize, usize) -> bool| count(is));
    let differing: Vec<f64> =
        kept.iter().filter(|(_, c, s)| c != s && *c > 0 && *s > 0).map(|(_, c, s)| *s as f64 / *c as f64).collect();
    (!pairs.is_empty()).then(|| {
        let mut table = vec![["program", "kept by closures", "kept by stacks", "stack ÷ closures"].map(String::from).to_vec()];
        let mut rows: Vec<_> = kept.iter().filter(|(_, c, s)| c != s).collect();
        rows.sort_by(|a, b| (a.2 as f64 / a.1 as f64).total_cmp(&(b.2 as f64 / b.1 as f64)));
        table.extend(rows.iter().map(|(r, c, s)| {
            let by = if *c > 0 { units::ratio(*s as f64 / *c as f64) } else { "-".into() };
            vec![r.program.clone(), units::bytes(*c), units::bytes(*s), by]
        }));
        let by = match differing.is_empty() {
            true => String::new(),
            false => format!(" Where they differ and both keep some, the stack keeps {} times as many.", mean(&differing)),
        };
        Finding {
            name: format!("memory-{order}"),
            text: format!(
                "Order {order}: of {} programs, {nothing} keep nothing by either strategy and {same} the same number of bytes; the \
                 stack keeps fewer in {less}, closures in {more}.{by}",
                pairs.len()
            ),
            table,
            figure: Some(Figure::Points {
                axes: ["bytes kept by closures".into(), "bytes kept by stacks".into()],
                points: kept.iter().filter(|(_, c, s)| *c > 0 && *s > 0).map(|(_, c, s)| (*c as f64, *s as f64)).collect(),
            }),
        }
    })
}

/// How well the model tells which strategy is faster: fitted on every other program, and asked of those between; then the other way
/// round.
fn model(order: usize, records: &[&Record]) -> Option<Finding> {
    let samples: Vec<(&Record, [f64; FEATURES.len()], Verdict, f64)> = pairs(order, records)
        .into_iter()
        .map(|(r, closure, stack)| {
            let (verdict, times) = compare(stack, closure);
            (r, features(stack.0, closure.0), verdict, times.value.ln())
        })
        .collect();
    let mut table = vec![["program", "stack ÷ closures", "predicted"].map(String::from).to_vec()];
    let (mut right, mut asked, mut stacks) = (0, 0, 0);
    for half in 0..2 {
        let fitted: Vec<_> = samples.iter().skip(half).step_by(2).map(|s| (s.1, s.3)).collect();
        let model = Model::fit(&fitted);
        for (r, features, verdict, log) in samples.iter().skip(1 - half).step_by(2) {
            if !matches!(verdict, Verdict::First | Verdict::Second) {
                continue;
            }
            let predicted = model.predict(features);
            asked += 1;
            stacks += usize::from(*verdict == Verdict::First);
            match (*log < 0.0) == (predicted < 0.0) {
                true => right += 1,
                false => table.push(vec![r.program.clone(), units::ratio(log.exp()), units::ratio(predicted.exp())]),
            }
        }
    }
    (asked > 1).then(|| Finding {
        name: format!("model-{order}"),
        text: format!(
            "Order {order}: a linear model of {}, fitted on one half of the programs and asked of the other, tells the faster strategy in \
             {right} of the {asked} programs where one is faster; that the stack always is, is right in {stacks}.",
            FEATURES.join(", ")
        ),
        table,
        figure: None,
    })
}

/// Words that differ between orders, by the stack throughout.
fn words(order: usize, records: &[&Record]) -> Option<Finding> {
    let stack = throughout("stack", order);
    let is_word = |way: &Names| way.strategy.contains(',');
    let mut words: Vec<String> = Vec::new();
    for row in records.iter().flat_map(|r| &r.rows).filter(|row| is_word(&row.way)) {
        if !words.contains(&row.way.strategy) {
            words.push(row.way.strategy.clone());
        }
    }
    let all: Vec<&&Record> = records.iter().filter(|r| words.iter().all(|word| r.base(word).is_some())).collect();
    (words.len() > 1 && !all.is_empty()).then(|| {
        let mut table = vec![["word", "time ÷ all by stacks", "bytes ÷ all by stacks", "fastest in", "fewest bytes in"].map(String::from).to_vec()];
        let mut rows: Vec<(String, Estimate)> = Vec::new();
        for word in &words {
            let of = |r: &Record| {
                let (by, base) = (r.base(word)?, r.base(&stack)?);
                Some((compare(by, base).1.value, by.1.kept() as f64, base.1.kept() as f64))
            };
            let figures: Vec<(f64, f64, f64)> = all.iter().filter_map(|r| of(r)).collect();
            let times = geometric_mean(&figures.iter().map(|f| f.0).collect::<Vec<_>>());
            let bytes: Vec<f64> = figures.iter().filter(|f| f.1 > 0.0 && f.2 > 0.0).map(|f| f.1 / f.2).collect();
            let least = |cost: fn(&Times) -> f64| {
                let is_least = |r: &&&&Record| {
                    let of = |word: &String| r.base(word).map_or(f64::INFINITY, |(_, t)| cost(t));
                    words.iter().all(|other| of(word) <= of(other))
                };
                all.iter().filter(is_least).count().to_string()
            };
            table.push(vec![word.clone(), times.to_string(), mean(&bytes), least(|t| t.ratio[0]), least(|t| t.kept() as f64)]);
            rows.push((word.clone(), times));
        }
        let said: Vec<String> =
            rows.iter().filter(|(word, _)| *word != stack).map(|(word, t)| format!("`{word}` {t}")).collect();
        Finding {
            name: format!("words-{order}"),
            text: format!(
                "Order {order}: over the {} programs that all words of strategies differentiate, the time by that of `{stack}` is, \
                 innermost derivative first: {} (geometric means).",
                all.len(),
                said.join(", ")
            ),
            table,
            figure: Some(Figure::Intervals { axis: format!("time ÷ time of {stack}"), rows }),
        }
    })
}

/// Forward mode, or a tape of the run, by the faster of both strategies.
fn others(order: usize, records: &[&Record], word: &str) -> Option<Finding> {
    let (way, what) = match word {
        "forward" => (word.to_owned(), "forward mode"),
        _ => (throughout(word, order), "tracing"),
    };
    let of = |r: &Record| {
        let (closure, stack) = (r.base(&throughout("closure", order))?, r.base(&throughout("stack", order))?);
        let best = if closure.1.ratio[0] < stack.1.ratio[0] { closure } else { stack };
        let (verdict, times) = compare(r.base(&way)?, best);
        Some((r.program.clone(), verdict, times))
    };
    let found: Vec<(String, Verdict, Estimate)> = records.iter().filter_map(|r| of(r)).collect();
    let count = |verdict: Verdict| found.iter().filter(|(_, v, _)| *v == verdict).count();
    (!found.is_empty()).then(|| {
        let mut rows: Vec<(String, Estimate)> = found.iter().map(|(p, _, t)| (p.clone(), *t)).collect();
        rows.sort_by(|a, b| a.1.value.total_cmp(&b.1.value));
        Finding {
            name: format!("{word}-{order}"),
            text: format!(
                "Order {order}: {what} is faster than the faster strategy of reverse mode in {} of {} programs and slower in {}; it takes {} \
                 times as long (geometric mean).",
                count(Verdict::First),
                found.len(),
                count(Verdict::Second),
                mean(&found.iter().map(|f| f.2.value).collect::<Vec<_>>())
            ),
            table: Vec::new(),
            figure: Some(Figure::Intervals { axis: format!("time of {what} ÷ time of the faster strategy"), rows }),
        }
    })
}

/// Variations of one strategy, each by the base: closure steps, simplification, rewrites, budgets, back ends, passes.
fn variants(order: usize, records: &[&Record]) -> Option<Finding> {
    #[derive(Default)]
    struct Variant {
        programs: usize,
        changed: usize,
        times: Vec<f64>,
        bytes: Vec<f64>,
        failed: usize,
    }
    let mut variants: BTreeMap<String, Variant> = BTreeMap::new();
    for record in records {
        for strategy in ["closure", "stack"].map(|s| throughout(s, order)) {
            let mut rows = record.rows.iter().filter(|row| row.way.strategy == strategy);
            let Some(first) = rows.next() else { continue };
            let Some(base) = record.of(first) else { continue };
            for row in rows {
                let variant = variants.entry(row.way.short(&first.way)).or_default();
                variant.programs += 1;
                let Some(of) = record.of(row) else {
                    variant.failed += 1;
                    continue;
                };
                variant.changed += usize::from(of.0.program != base.0.program || row.way.backend != first.way.backend);
                variant.times.push(compare(of, base).1.value);
                if of.1.kept() > 0 && base.1.kept() > 0 {
                    variant.bytes.push(of.1.kept() as f64 / base.1.kept() as f64);
                }
            }
        }
    }
    (!variants.is_empty()).then(|| {
        let mut table =
            vec![["way", "programs", "other code", "failed", "time ÷ base", "bytes ÷ base"].map(String::from).to_vec()];
        let mut rows = Vec::new();
        for (name, v) in &variants {
            let counts = [v.programs, v.changed, v.failed].map(|n| n.to_string());
            table.push([name.clone()].into_iter().chain(counts).chain([mean(&v.times), mean(&v.bytes)]).collect());
            if !v.times.is_empty() {
                rows.push((name.clone(), geometric_mean(&v.times)));
            }
        }
        let differs = |t: &Estimate| t.value.ln().abs() > SMALL && (t.low > 1.0 || t.high < 1.0);
        let mut said: Vec<String> = rows.iter().filter(|(_, t)| differs(t)).map(|(name, t)| format!("{name}: {t}")).collect();
        said.push(match rows.iter().filter(|(_, t)| !differs(t)).count() {
            0 => "no other".into(),
            n => format!("no difference of more than 5 % with certainty: {n} others"),
        });
        Finding {
            name: format!("variants-{order}"),
            text: format!(
                "Order {order}: times by those of the same strategy without variation (geometric means): {}.",
                said.join("; ")
            ),
            table,
            figure: Some(Figure::Intervals { axis: "time ÷ time without variation".into(), rows }),
        }
    })
}

/// The way that the compiler chooses, by the fastest that it can choose from.
fn auto(order: usize, records: &[&Record]) -> Option<Finding> {
    let candidates = ["closure", "stack"].map(|s| throughout(s, order)).into_iter().chain(["reverse".into(), "forward".into()]);
    let candidates: Vec<String> = candidates.collect();
    let of = |r: &Record| {
        let auto = r.base("auto")?;
        let ran = candidates.iter().filter_map(|name| Some((name, r.base(name)?)));
        let (name, best) = ran.min_by(|a, b| a.1.1.ratio[0].total_cmp(&b.1.1.ratio[0]))?;
        let (verdict, times) = compare(auto, best);
        Some((r.program.clone(), name.clone(), verdict, times))
    };
    let found: Vec<(String, String, Verdict, Estimate)> = records.iter().filter_map(|r| of(r)).collect();
    let missed: Vec<_> = found.iter().filter(|f| f.2 == Verdict::Second).collect();
    (!found.is_empty()).then(|| {
        let mut table = vec![["program", "fastest", "auto ÷ fastest"].map(String::from).to_vec()];
        table.extend(missed.iter().map(|(p, best, _, t)| vec![p.clone(), best.clone(), t.to_string()]));
        let mut rows: Vec<(String, Estimate)> = found.iter().map(|f| (f.0.clone(), f.3)).collect();
        rows.sort_by(|a, b| a.1.value.total_cmp(&b.1.value));
        Finding {
            name: format!("auto-{order}"),
            text: format!(
                "Order {order}: what `auto` chooses is as fast as the fastest strategy or mode in {} of {} programs; over all it takes {} \
                 times as long.",
                found.len() - missed.len(),
                found.len(),
                mean(&found.iter().map(|f| f.3.value).collect::<Vec<_>>())
            ),
            table,
            figure: Some(Figure::Intervals { axis: "time of auto ÷ time of the fastest".into(), rows }),
        }
    })
}

/// How sure the figures are: ways with the same program, which were measured all the same.
fn control(records: &[&Record]) -> Option<Finding> {
    let mut found: Vec<(String, bool, Estimate)> = Vec::new();
    for r in records {
        let rows: Vec<(&Names, &Code, &Times)> =
            r.rows.iter().filter_map(|row| Some((&row.way, row.code.as_ref()?, row.run.as_ref()?))).collect();
        for (i, (way, code, times)) in rows.iter().enumerate() {
            let is_same = |(other, c, _): &&(&Names, &Code, &Times)| c.program == code.program && other.backend == way.backend;
            let Some((_, _, first)) = rows[..i].iter().find(is_same) else { continue };
            let name = format!("{}, order {}, {}", r.program, r.order, way.short(&Names::value()));
            found.push((name, interval(first).meets(&interval(times)), ratio(&times.times, &first.times)));
        }
    }
    let apart = found.iter().filter(|f| !f.1).count();
    let large = found.iter().filter(|f| !f.1 && f.2.value.ln().abs() > SMALL).count();
    (!found.is_empty()).then(|| {
        // The pairs that are furthest apart.
        let mut rows: Vec<(String, Estimate)> = found.iter().map(|f| (f.0.clone(), f.2)).collect();
        rows.sort_by(|a, b| b.1.value.ln().abs().total_cmp(&a.1.value.ln().abs()));
        rows.truncate(30);
        Finding {
            name: "control".into(),
            text: format!(
                "Control: of {} pairs of ways that make the same program, the intervals of {apart} do not meet, and {large} would be called \
                 different, by more than 5 %.",
                found.len()
            ),
            table: Vec::new(),
            figure: Some(Figure::Intervals { axis: "time ÷ time, of the same program".into(), rows }),
        }
    })
}

fn answers(records: &[&Record]) -> Option<Finding> {
    let all = records.iter().flat_map(|r| r.rows.iter().filter_map(move |row| Some((r, row, row.run.as_ref()?.difference))));
    let mut all: Vec<_> = all.collect();
    all.sort_by(|a, b| b.2.total_cmp(&a.2));
    let (record, row, most) = all.first()?;
    let table = all
        .iter()
        .take(10)
        .map(|(r, row, d)| vec![r.program.clone(), r.order.to_string(), row.way.short(&Names::value()), format!("{d:.1e}")]);
    let head = ["program", "order", "way", "difference"].map(String::from).to_vec();
    Some(Finding {
        name: "answers".into(),
        text: format!(
            "Answers: over {} runs, no way is further than {most:.1e} from the first one of its program, relative to the largest entry \
             (`{}`, order {}, {}).",
            all.len(),
            record.program,
            record.order,
            row.way.short(&Names::value())
        ),
        table: std::iter::once(head).chain(table).collect(),
        figure: None,
    })
}

fn failures(records: &[&Record]) -> Option<Finding> {
    let failed = records.iter().flat_map(|r| r.rows.iter().filter_map(move |row| Some((r, row, row.error.as_ref()?))));
    let failed: Vec<_> = failed.collect();
    (!failed.is_empty()).then(|| {
        let head = ["program", "order", "way", "failure"].map(String::from).to_vec();
        let rows = failed.iter().map(|(r, row, e)| {
            vec![
                r.program.clone(),
                r.order.to_string(),
                row.way.short(&Names::value()),
                e.lines().next().unwrap_or_default().into(),
            ]
        });
        Finding {
            name: "failures".into(),
            text: format!("Failures: {} ways gave no answer.", failed.len()),
            table: std::iter::once(head).chain(rows).collect(),
            figure: None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_as_markdown() {
        let table = [["a", "b"], ["1", "2"]].map(|row| row.map(String::from).to_vec()).to_vec();
        let finding = Finding { name: "time-1".into(), text: "One sentence.".into(), table, figure: None };
        assert_eq!(markdown(&[finding]), "## time-1\n\nOne sentence.\n\n| a | b |\n|---|---:|\n| 1 | 2 |\n");
    }
}

//! The report of a study: one file that loads nothing, for any browser.

use super::outcome::Results;
use super::peers;
use super::plots::Plot;
use super::record::Record;
use super::regression::Regression;
use super::verdict::{Verdict, compare, throughout};
use super::ways::Names;
use crate::compare::{outliers, units};
use std::fmt::Write;

const STYLE: &str = "body{font:15px/1.5 sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#333}\
table{border-collapse:collapse;margin:1em 0;font-size:13px}td,th{border:1px solid #ccc;padding:2px 8px;text-align:right}\
td:first-child,th:first-child{text-align:left}th{background:#f2f2f2;position:sticky;top:0}pre{font-size:12px;background:#f7f7f7;\
padding:8px;overflow:auto}svg{max-width:100%;height:auto}summary{cursor:pointer}.worse{color:#b33}.better{color:#276}";

/// The report.
pub fn report(all: &Results, plots: &[Plot], regression: Option<&Regression>) -> String {
    let mut page = Page::default();
    let title = escape(&all.title);
    page.add(&format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title><style>{STYLE}</style>"
    ));
    page.add(&format!("</head><body><h1>{title}</h1>"));
    page.about(all);
    page.add("<h2>Findings</h2>");
    page.add(
        "<p>Programs count once, at the arguments of the file. A way is faster than another if the 95 % intervals of their ratios to the \
         function itself do not meet and the times differ by more than 5 %. Figures in brackets are 95 % bootstrap intervals.</p>",
    );
    for finding in &all.findings {
        page.add(&format!("<h3 id=\"{0}\">{0}</h3><p>{1}</p>", finding.name, escape(&finding.text)));
        if let Some(plot) = plots.iter().find(|p| p.name == finding.name) {
            page.folded("plot", &plot.svg);
        }
        if let Some((head, rows)) = finding.table.split_first() {
            page.folded("table", &table(head, rows));
        }
    }
    page.regression(regression);
    page.peers(all);
    page.programs(all);
    page.add("<h2>Sweeps</h2>");
    for plot in plots.iter().filter(|p| p.name.starts_with("sweep-")) {
        page.folded(&plot.name, &plot.svg);
    }
    page.add("<h2>All ways</h2>");
    for record in &all.records {
        let point = record.point.as_ref().map(|p| format!(" at {} = {}", p.argument, p.value)).unwrap_or_default();
        page.folded(&format!("{}, order {}{point}", record.program, record.order), &ways(record));
    }
    page.add("<h2>Texts</h2>");
    for (file, text) in &all.files {
        page.folded(file, &format!("<pre>{}</pre>", escape(text)));
    }
    page.add("</body></html>");
    page.text
}

#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn add(&mut self, html: &str) {
        self.text += html;
        self.text.push('\n');
    }

    fn folded(&mut self, summary: &str, html: &str) {
        self.add(&format!("<details><summary>{}</summary>{html}</details>", escape(summary)));
    }

    fn about(&mut self, all: &Results) {
        let m = &all.machine;
        let caches: Vec<String> = m.caches.iter().map(|c| format!("L{} {} {}", c.level, c.kind.to_lowercase(), c.size)).collect();
        let loads = || all.records.iter().flat_map(|r| r.load).flatten();
        let load = loads().fold(None, |most: Option<f64>, load| Some(most.map_or(load, |m| m.max(load))));
        let samples = || all.records.iter().flat_map(|r| &r.rows).filter_map(|row| row.run.as_ref());
        let (count, outside) = samples().fold((0, 0), |(n, o), run| (n + run.times.len(), o + outliers(&run.times)));
        let unknown = || "unknown".to_owned();
        let rows = [
            ("study", format!("{} {}", all.study, all.flags.join(" "))),
            ("Gradus", format!("{}, commit {}, {} build", m.gradus, m.commit.clone().unwrap_or_else(unknown), m.build)),
            ("machine", format!("{}, {} cores, {}", m.processor.clone().unwrap_or_else(unknown), m.cores, m.system)),
            ("caches", caches.join("; ")),
            ("date", m.date.clone()),
            ("cases", format!("{}, measured in {}", all.records.len(), units::time(all.seconds))),
            ("each way", format!("{} of measured runs, in turns, {} time", units::time(all.seconds_each), all.clock)),
            ("load, at most", load.map_or_else(unknown, |l| format!("{l:.2}, over a minute"))),
            (
                "outliers",
                format!("{outside} of {count} samples lie more than 1.5 times the distance of the quartiles outside of them"),
            ),
        ];
        let rows: Vec<Vec<String>> = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
        self.add(&table(&["".into(), "".into()], &rows));
    }

    fn regression(&mut self, regression: Option<&Regression>) {
        self.add("<h2>Regression</h2>");
        let Some(r) = regression else {
            self.add("<p>There is no earlier run to compare with.</p>");
            return;
        };
        self.add(&format!("<p>{}</p>", escape(&r.summary())));
        let head = ["program", "order", "at", "way", "figure", "before", "after"].map(String::from);
        let mut html = String::from("<table><tr>");
        head.iter().for_each(|cell| push(&mut html, "th", "", cell));
        for c in &r.changes {
            html += "</tr><tr>";
            let at = c.point.as_ref().map(|p| format!("{} = {}", p.argument, p.value)).unwrap_or_default();
            let cells = [
                c.program.clone(),
                c.order.to_string(),
                at,
                c.way.short(&Names::value()),
                c.what.into(),
                c.before.clone(),
                c.after.clone(),
            ];
            let class = if c.is_worse { " class=\"worse\"" } else { " class=\"better\"" };
            cells.iter().for_each(|cell| push(&mut html, "td", class, cell));
        }
        html += "</tr></table>";
        if !r.changes.is_empty() {
            self.add(&html);
        }
    }

    fn peers(&mut self, all: &Results) {
        if all.peers.is_empty() {
            return;
        }
        self.add("<h2>Other tools</h2>");
        let rows = peers::table(&all.peers, &all.records);
        if let Some((head, rows)) = rows.split_first() {
            self.add(&table(head, rows));
        }
        for (peer, e) in all.peers.iter().filter_map(|p| Some((p, p.error.as_ref()?))) {
            self.add(&format!("<p>{} gave no figures: {}</p>", escape(&peer.name), escape(e)));
        }
    }

    /// One table for each order, then each program at its stages.
    fn programs(&mut self, all: &Results) {
        self.add("<h2>Programs</h2>");
        let mut orders: Vec<usize> = all.records.iter().map(|r| r.order).collect();
        orders.sort_unstable();
        orders.dedup();
        for order in orders {
            self.add(&format!("<h3>Order {order}</h3>"));
            let head = [
                "program",
                "kind",
                "value",
                "closures ÷ value",
                "stack ÷ value",
                "stack ÷ closures",
                "verdict",
                "kept, closures",
                "kept, stack",
            ];
            let records = all.records.iter().filter(|r| r.order == order && r.point.is_none());
            let rows: Vec<Vec<String>> = records.map(|r| row(r, order)).collect();
            self.add(&table(&head.map(String::from), &rows));
        }
        for record in all.records.iter().filter(|r| !r.stages.is_empty()) {
            let mut html = String::new();
            for stage in &record.stages {
                let _ = write!(html, "<h4>{}, {}</h4><pre>{}</pre>", stage.way, stage.stage, escape(&stage.text));
            }
            let text = all.files.get(&record.file).map(|text| function(text, &record.function)).unwrap_or_default();
            self.folded(&record.call, &format!("<pre>{}</pre>{html}", escape(&text)));
        }
    }
}

/// A program's line in the table of an order.
fn row(r: &Record, order: usize) -> Vec<String> {
    let (closure, stack) = (r.base(&throughout("closure", order)), r.base(&throughout("stack", order)));
    let value = r.base("value").map_or("-".into(), |(_, t)| units::time(t.quartiles[1]));
    let ratio = |t: Option<(&_, &super::record::Times)>| {
        t.map_or("-".into(), |(_, t)| {
            format!("{} [{}, {}]", units::ratio(t.ratio[0]), units::ratio(t.ratio[1]), units::ratio(t.ratio[2]))
        })
    };
    let kept = |t: Option<(&_, &super::record::Times)>| t.map_or("-".into(), |(_, t)| units::bytes(t.kept()));
    let (verdict, times) = match stack.zip(closure) {
        Some((stack, closure)) => {
            let (verdict, times) = compare(stack, closure);
            let said = match verdict {
                Verdict::Same => "same program",
                Verdict::First => "stack faster",
                Verdict::Second => "closures faster",
                Verdict::Open => "open",
            };
            (said, times.to_string())
        }
        None => ("failed", "-".into()),
    };
    vec![
        r.program.clone(),
        r.kind.clone(),
        value,
        ratio(closure),
        ratio(stack),
        times,
        verdict.into(),
        kept(closure),
        kept(stack),
    ]
}

/// All ways of a record.
fn ways(record: &Record) -> String {
    let head = [
        "way",
        "nodes",
        "code",
        "compile",
        "least",
        "quartiles",
        "÷ value",
        "turns",
        "outliers",
        "closures",
        "heap",
        "tape",
        "difference",
    ];
    let base = Names::value();
    let rows = record.rows.iter().map(|row| {
        let name = row.way.short(&base);
        let mut cells = vec![name];
        match (&row.same, &row.error, &row.code) {
            (Some(other), ..) => cells.push(format!("the program of {}", other.short(&base))),
            (None, Some(e), _) => cells.push(format!("failed: {}", e.lines().next().unwrap_or_default())),
            (None, None, Some(code)) => cells.extend([
                format!("{} → {}", code.nodes_typed, code.nodes_lowered),
                code.code_bytes.map_or("-".into(), units::bytes),
                units::time(code.compile_seconds),
            ]),
            (None, None, None) => {}
        }
        cells.extend(row.run.iter().flat_map(|t| {
            let [low, median, high] = t.quartiles.map(units::time);
            [
                units::time(t.least),
                format!("{low}, {median}, {high}"),
                format!("{} [{}, {}]", units::ratio(t.ratio[0]), units::ratio(t.ratio[1]), units::ratio(t.ratio[2])),
                t.times.len().to_string(),
                t.outliers.to_string(),
                t.objects.to_string(),
                units::bytes(t.heap_bytes),
                units::bytes(t.tape_bytes),
                format!("{:.1e}", t.difference),
            ]
        }));
        cells
    });
    let load = record.load.map(|l| l.map_or("unknown".into(), |l| format!("{l:.2}")));
    format!(
        "<p>{}; load {} before, {} after</p>{}",
        escape(&record.call),
        load[0],
        load[1],
        table(&head.map(String::from), &rows.collect::<Vec<_>>())
    )
}

/// The text of a function of the top level, or the whole text where it is not found.
fn function(text: &str, name: &str) -> String {
    let head = format!("def {name}(");
    let Some(from) = text.lines().position(|line| line.starts_with(&head)) else { return text.into() };
    let lines: Vec<&str> = text.lines().collect();
    let is_inside = |line: &&&str| line.is_empty() || line.starts_with([' ', '\t', '#', ')']);
    let count = lines[from + 1..].iter().take_while(is_inside).count();
    lines[from..=from + count].join("\n").trim_end().into()
}

fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let mut html = String::from("<table><tr>");
    head.iter().for_each(|cell| push(&mut html, "th", "", cell));
    for row in rows {
        html += "</tr><tr>";
        row.iter().for_each(|cell| push(&mut html, "td", "", cell));
    }
    html + "</tr></table>"
}

fn push(html: &mut String, tag: &str, attributes: &str, text: &str) {
    let _ = write!(html, "<{tag}{attributes}>{}</{tag}>", escape(text));
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    #[test]
    fn functions_are_found() {
        let text = "import math\ndef f(x):\n    return x\n\n    # end\n\ndef g(x):\n    return x\n";
        assert_eq!(super::function(text, "f"), "def f(x):\n    return x\n\n    # end");
        assert_eq!(super::function(text, "g"), "def g(x):\n    return x");
        assert_eq!(super::function(text, "h"), text);
    }

    #[test]
    fn texts_are_escaped() {
        assert_eq!(super::escape("a < b & \"c\""), "a &lt; b &amp; &quot;c&quot;");
    }
}

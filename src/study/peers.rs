//! Other tools beside the programs of a study: commands that print lines `workload,metric,value`.

use super::record::{Record, fingerprint};
use super::verdict::throughout;
use super::{read, write_json};
use crate::Error;
use crate::compare::units;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::Command;

/// A tool as the file of a study names it.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    pub name: String,
    /// The command and its arguments; it runs in the folder of the study.
    pub command: Vec<String>,
}

/// What a tool said.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Peer {
    /// The command, as a number in hexadecimal digits; what it said is asked again if it changes.
    pub key: String,
    pub name: String,
    pub figures: Vec<Figure>,
    /// Why there are no figures: the tool is not installed, say.
    pub error: Option<String>,
}

/// A line of a tool.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Figure {
    /// The name of a program.
    pub workload: String,
    /// `primal_s` and `grad_s`, times in seconds, or another word.
    pub metric: String,
    pub value: f64,
}

/// What the tools said. With `is_asked`, those are asked whose answers are not in the folder of records, and those that failed.
pub fn all(tools: &[Tool], folder: &Path, records: Option<&Path>, is_asked: bool) -> Result<Vec<Peer>, Error> {
    let one = |(i, tool): (usize, &Tool)| {
        let words: Vec<&str> = tool.command.iter().map(|word| &**word).collect();
        let (key, path) = (fingerprint(&words), records.map(|folder| folder.join(format!("peer-{i}.json"))));
        let known = path.as_ref().and_then(|path| read::<Peer>(path).ok()).filter(|known| known.key == key);
        if !is_asked || known.as_ref().is_some_and(|known| known.error.is_none()) {
            return Ok(known);
        }
        let (figures, error) = match run(tool, folder) {
            Ok(figures) => (figures, None),
            Err(e) => (Vec::new(), Some(e)),
        };
        let peer = Peer { key, name: tool.name.clone(), figures, error };
        if let Some(path) = &path {
            write_json(path, &peer)?;
        }
        Ok(Some(peer))
    };
    tools.iter().enumerate().filter_map(|tool| one(tool).transpose()).collect()
}

fn run(tool: &Tool, folder: &Path) -> Result<Vec<Figure>, String> {
    let (program, args) = tool.command.split_first().ok_or("its `command` is empty")?;
    let out = Command::new(program).args(args).current_dir(folder).output().map_err(|e| format!("{program}: {e}"))?;
    if !out.status.success() {
        let said = String::from_utf8_lossy(&out.stderr);
        return Err(format!("{}: {}", out.status, said.lines().last().unwrap_or("it says nothing")));
    }
    figures(&String::from_utf8_lossy(&out.stdout))
}

/// Reads lines `workload,metric,value`; empty lines and those that begin with `#` are passed over.
fn figures(text: &str) -> Result<Vec<Figure>, String> {
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let read = |line: &str| {
        let mut parts = line.split(',').map(str::trim);
        let (workload, metric, value) = (parts.next()?, parts.next()?, parts.next()?.parse().ok()?);
        parts.next().is_none().then(|| Figure { workload: workload.into(), metric: metric.into(), value })
    };
    lines.map(|line| read(line).ok_or_else(|| format!("`{line}` is no line `workload,metric,value`"))).collect()
}

/// One row for each program and metric that a tool has, the head first; the column of Gradus has the value, and the fastest gradient.
pub fn table(peers: &[Peer], records: &[Record]) -> Vec<Vec<String>> {
    let mut rows: Vec<(&str, &str)> = Vec::new();
    for figure in peers.iter().flat_map(|p| &p.figures) {
        let row = (&*figure.workload, &*figure.metric);
        if !rows.contains(&row) && records.iter().any(|r| r.program == row.0) {
            rows.push(row);
        }
    }
    let shown = |metric: &str, value: f64| if metric.ends_with("_s") { units::time(value) } else { value.to_string() };
    let ours = |workload: &str, metric: &str| {
        let record = records.iter().find(|r| r.program == workload && r.order == 1 && r.point.is_none())?;
        let of = |strategy: &str| record.base(strategy).map(|(_, times)| times.quartiles[1]);
        let ways = ["closure", "stack"].map(|s| throughout(s, 1)).into_iter().chain(["reverse".into(), "forward".into()]);
        match metric {
            "primal_s" => of("value"),
            "grad_s" => ways.filter_map(|way| of(&way)).min_by(f64::total_cmp),
            _ => None,
        }
    };
    let head = ["program", "metric", "Gradus"].into_iter().chain(peers.iter().map(|p| &*p.name)).map(String::from).collect();
    let row = |(workload, metric): (&str, &str)| {
        let theirs = peers.iter().map(|peer| {
            let found = peer.figures.iter().find(|f| f.workload == workload && f.metric == metric);
            found.map_or("-".into(), |f| shown(metric, f.value))
        });
        let gradus = ours(workload, metric).map_or("-".into(), |v| shown(metric, v));
        [workload.to_owned(), metric.to_owned(), gradus].into_iter().chain(theirs).collect()
    };
    std::iter::once(head).chain(rows.into_iter().map(row)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_tools() {
        let figure = Figure { workload: "power".into(), metric: "grad_s".into(), value: 1.5e-6 };
        assert_eq!(figures("# C\n\npower, grad_s,1.5e-6\n"), Ok(vec![figure]));
        assert!(figures("power,grad_s").is_err_and(|e| e.contains("`power,grad_s`")));
        assert!(figures("power,grad_s,1,2").is_err() && figures("power,grad_s,fast").is_err());
    }
}

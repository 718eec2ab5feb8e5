//! `gradus rules`: the table of rewrites.

use clap::Args;
use gradus::{Choice, Error, Rule};
use serde_json::{Value as Json, json};
use std::path::Path;
use std::sync::Arc;

#[derive(Args, Debug)]
pub struct Flags {
    /// Print one JSON array.
    #[arg(long)]
    json: bool,
}

/// The rules, one a line: name, class, equation, conditions, and what a rule over the reals gives up.
pub fn rules(flags: &Flags) -> Result<String, Error> {
    let all = Choice::table();
    if flags.json {
        return Ok(Json::from_iter(all.rules().map(row)).to_string());
    }
    let cells: Vec<[String; 4]> = all.rules().map(cells).collect();
    let widths = [0, 1, 2].map(|i| cells.iter().map(|row| row[i].len()).max().unwrap_or(0));
    let line = |[name, class, equation, rest]: &[String; 4]| {
        let [a, b, c] = widths;
        format!("{name:a$}  {class:b$}  {equation:c$}  {rest}").trim_end().to_owned()
    };
    Ok(cells.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn cells(rule: &Rule) -> [String; 4] {
    let conditions = conditions(rule).join(", ");
    let condition = if conditions.is_empty() { conditions } else { format!("if {conditions}") };
    let gives_up = if rule.gives_up.is_empty() { String::new() } else { format!("; gives up {}", rule.gives_up) };
    let rest = condition + &gives_up;
    [rule.name.to_string(), rule.class.name().into(), format!("{} => {}", rule.left, rule.right), rest]
}

fn row(rule: &Rule) -> Json {
    json!({
        "name": rule.name,
        "class": rule.class.name(),
        "left": rule.left,
        "right": rule.right,
        "conditions": conditions(rule),
        "gives_up": rule.gives_up,
    })
}

fn conditions(rule: &Rule) -> Vec<&str> {
    rule.conditions.split(',').map(str::trim).filter(|condition| !condition.is_empty()).collect()
}

/// A pass or a rule that a flag leaves out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Left {
    /// A pass of the simplifier.
    Pass(&'static str),
    /// A rule of saturation.
    Rule(String),
}

/// The pass or the rule of a name.
pub fn left_out(name: &str) -> Result<Left, String> {
    let name = name.trim();
    let pass = gradus::PASSES.into_iter().find(|pass| *pass == name).map(Left::Pass);
    let rule = || Choice::table().rules().find(|rule| rule.name == name).map(|rule| Left::Rule(rule.name.to_string()));
    let none =
        || format!("there is no such pass or rule; passes are {}, and `gradus rules` lists the rules", gradus::PASSES.join(", "));
    pass.or_else(rule).ok_or_else(none)
}

/// The rules of a file.
pub fn read(path: &str) -> Result<Arc<[Rule]>, String> {
    let text = std::fs::read_to_string(Path::new(path)).map_err(|e| e.to_string())?;
    Rule::read(&text).map(Arc::from)
}

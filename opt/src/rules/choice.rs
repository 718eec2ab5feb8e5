//! Which rules apply: those of the table but for some, and rules of the user.

use super::{Class, RULES, Rule, Rules, SMALL};
use crate::Math;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock, OnceLock};

/// The rules that saturation applies.
pub struct Choice {
    without: Vec<String>,
    more: Vec<Rule>,
    /// As egg applies them: exact ones, with those of the last derivative, with those over the reals, and with all.
    compiled: [OnceLock<Arc<Rules>>; 4],
}

impl Choice {
    /// The rules of the table. They are compiled once for all who ask for them.
    pub fn table() -> Arc<Choice> {
        static TABLE: LazyLock<Arc<Choice>> = LazyLock::new(|| Choice::new(Vec::new(), Vec::new()));
        TABLE.clone()
    }

    /// The rules of the table without those of some names, and with others.
    pub fn new(without: Vec<String>, more: Vec<Rule>) -> Arc<Choice> {
        Arc::new(Choice { without, more, compiled: Default::default() })
    }

    /// All its rules.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        RULES.iter().chain(&self.more).filter(|rule| !self.without.iter().any(|name| *name == rule.name))
    }

    /// The rules for a region of so many operations, by whether no derivative of it is left to take.
    pub(crate) fn compiled(&self, math: Math, last: bool, operations: usize) -> Arc<Rules> {
        let class = match math {
            _ if !last => Class::Exact,
            Math::Exact => Class::Last,
            Math::Fast if operations < SMALL => Class::Group,
            Math::Fast => Class::Real,
        };
        self.compiled[class as usize].get_or_init(|| Arc::new(self.rules().filter(|rule| rule.class <= class).collect())).clone()
    }
}

impl Rule {
    /// The rules of a text, one a line; lines that begin with `#` are for people:
    ///
    /// ```text
    /// name   class  left                      right            conditions on variables
    /// twice  real   (add (sin ?a) (sin ?a)) => (mul 2.0 (sin ?a))
    /// root   real   (sqrt (mul ?a ?a))      => ?a               if never_negative ?a
    /// ```
    ///
    /// Behind a semicolon it may say what it gives up. The error names the line. A rule is believed: nobody checks that both sides are equal.
    pub fn read(text: &str) -> Result<Vec<Rule>, String> {
        let mut rules: Vec<Rule> = Vec::new();
        for (number, line) in
            (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        {
            let rule = read_one(line).and_then(|rule| match RULES.iter().chain(&rules).any(|known| known.name == rule.name) {
                true => Err(format!("there is a rule `{}`", rule.name)),
                false => rule.instances().map(|_| rule),
            });
            rules.push(rule.map_err(|e| format!("line {number}: {e}"))?);
        }
        Ok(rules)
    }
}

fn read_one(line: &str) -> Result<Rule, String> {
    let form = || "a rule is `name class (left …) => right`, with `if condition ?a` behind it or not".to_owned();
    let (line, gives_up) = line.split_once(';').unwrap_or((line, ""));
    let gives_up = gives_up.trim().trim_start_matches("gives up ");
    let (name, rest) = line.split_once(char::is_whitespace).ok_or_else(form)?;
    let (word, rest) = rest.trim_start().split_once(char::is_whitespace).ok_or_else(form)?;
    let class = Class::ALL
        .into_iter()
        .find(|class| class.name() == word)
        .ok_or_else(|| format!("`{word}` is no class; there are {}", Class::ALL.map(Class::name).join(", ")))?;
    let (left, rest) = rest.split_once("=>").ok_or_else(form)?;
    let (right, conditions) = rest.split_once(" if ").unwrap_or((rest, ""));
    let owned = |text: &str| text.trim().to_owned().into();
    Ok(Rule {
        name: owned(name),
        class,
        left: owned(left),
        right: owned(right),
        conditions: owned(conditions),
        gives_up: owned(gives_up),
    })
}

impl PartialEq for Choice {
    fn eq(&self, other: &Choice) -> bool {
        (&self.without, &self.more) == (&other.without, &other.more)
    }
}

impl Eq for Choice {}

impl Hash for Choice {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.without, &self.more).hash(state);
    }
}

impl std::fmt::Debug for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Choice").field("without", &self.without).field("more", &self.more).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_users() {
        let rules = Rule::read("# mine\n\ntwice real (add (sin ?a) (sin ?a)) => (mul 2.0 (sin ?a))\nroot real (sqrt (mul ?a ?a)) => ?a if never_negative ?a\n").unwrap();
        let texts: Vec<[&str; 4]> = rules.iter().map(|r| [&*r.name, &*r.left, &*r.right, &*r.conditions]).collect();
        assert_eq!(
            texts,
            [
                ["twice", "(add (sin ?a) (sin ?a))", "(mul 2.0 (sin ?a))", ""],
                ["root", "(sqrt (mul ?a ?a))", "?a", "never_negative ?a"]
            ]
        );
        let choice = Choice::new(vec!["mul-one".into()], rules);
        assert_eq!(choice.rules().count(), RULES.len() + 1);
        assert!(choice.rules().all(|rule| rule.name != "mul-one"));
    }

    #[test]
    fn rules_that_are_none() {
        for (text, why) in [
            ("twice", "line 1: a rule is"),
            ("# mine\ntwice real (sin ?a)", "line 2: a rule is"),
            ("twice rael (sin ?a) => ?a", "`rael` is no class; there are exact, last, real, group"),
            ("twice real (sinus ?a) => ?a", "`(sinus ?a)` is no term"),
            ("twice real (sin ?a ?b) => ?a", "`(sin ?a ?b)` is no term"),
            ("twice real (sin ?a => ?a", "`(sin ?a` is no term"),
            ("twice real ?a => (sin ?a)", "`?a` is no application"),
            ("twice real 1.0 => 2.0", "`1.0` is no application"),
            ("twice real (sin ?a) => ?b", "`?b` is not in `(sin ?a)`"),
            ("twice real (sin ?a) => ?a if happy ?a", "`happy ?a` is no condition on a variable; there are constant,"),
            ("twice real (sin ?a) => ?a if positive ?b", "`?b` is not in `(sin ?a)`"),
            ("mul-one real (sin ?a) => ?a", "there is a rule `mul-one`"),
        ] {
            let message = Rule::read(text).expect_err(text);
            assert!(message.contains(why), "{message}, not {why}");
        }
    }
}

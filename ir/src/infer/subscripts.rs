//! The subscripts of `einsum`: `ij,jk->ik`.

/// The labels of each operand, whose ranks are given, then those of the result, as numbers. Without `->` the result has the axes of `...`
/// and the labels that occur once, in alphabetic order. Axes of `...` are labelled from the last one: -1, -2, …
pub(super) fn parse(text: &str, ranks: &[i64]) -> Result<Vec<Vec<i64>>, String> {
    let text: String = text.chars().filter(|c| *c != ' ').collect();
    if let Some(bad) = text.replace("...", "").replace("->", "").chars().find(|c| !c.is_ascii_alphabetic() && *c != ',') {
        return Err(format!("`{bad}` is not supported"));
    }
    let (inputs, output) = match text.split_once("->") {
        Some((inputs, output)) => (inputs, Some(output)),
        None => (&*text, None),
    };
    let inputs: Vec<&str> = inputs.split(',').collect();
    let operands = ranks.len();
    if inputs.len() != operands {
        return Err(format!("they are for {} operands, {operands} are given", inputs.len()));
    }
    let mut lists = Vec::with_capacity(operands + 1);
    let mut others = 0;
    for (labels, rank) in inputs.iter().zip(ranks) {
        let rest = rank - labels.replace("...", "").len() as i64;
        if rest < 0 && labels.contains("...") {
            return Err(format!("`{labels}` has more labels than an array of {rank} dimensions has axes"));
        }
        others = if labels.contains("...") { rest.max(others) } else { others };
        lists.push(numbers(labels, rest)?);
    }
    let all: Vec<i64> = lists.concat();
    let count = |label: &i64| all.iter().filter(|other| *other == label).count();
    let result = match output {
        Some(output) => {
            let result = numbers(output, others)?;
            if let Some(&label) = result.iter().find(|label| count(label) == 0) {
                return Err(format!("no operand has the label `{}` of the result", label as u8 as char));
            }
            if (1..result.len()).any(|i| result[..i].contains(&result[i])) {
                return Err("a label occurs twice in the result".into());
            }
            result
        }
        None => {
            let mut once: Vec<i64> =
                all.iter().copied().filter(|label| *label > 0 && count(label) == 1).chain(-others..0).collect();
            once.sort_unstable();
            once
        }
    };
    lists.push(result);
    Ok(lists)
}

fn numbers(labels: &str, others: i64) -> Result<Vec<i64>, String> {
    let (before, after) = labels.split_once("...").map_or((labels, None), |(before, after)| (before, Some(after)));
    let mut numbers: Vec<i64> = before.bytes().map(i64::from).collect();
    if let Some(after) = after {
        if after.contains("...") {
            return Err("`...` occurs twice among the labels of one array".into());
        }
        numbers.extend(-others..0);
        numbers.extend(after.bytes().map(i64::from));
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, operands: usize) -> String {
        read_of(text, &vec![2; operands])
    }

    fn read_of(text: &str, ranks: &[i64]) -> String {
        let letter = |label: i64| if label < 0 { label.to_string() } else { String::from(label as u8 as char) };
        let word = |list: &Vec<i64>| list.iter().map(|&label| letter(label)).collect::<String>();
        match parse(text, ranks) {
            Ok(lists) => lists.iter().map(word).collect::<Vec<_>>().join(" "),
            Err(message) => message,
        }
    }

    #[test]
    fn subscripts_are_read_as_in_numpy() {
        assert_eq!(read("ij,jk->ik", 2), "ij jk ik");
        assert_eq!(read("ij, jk", 2), "ij jk ik");
        assert_eq!(read("ba", 1), "ba ab");
        assert_eq!(read("ii", 1), "ii ");
        assert_eq!(read("i,i->", 2), "i i ");
        assert_eq!(read_of("i...,...", &[3, 1]), "i-2-1 -1 -2-1i");
        assert_eq!(read_of("...ij,...jk->...ik", &[3, 2]), "-1ij jk -1ik");
    }

    #[test]
    fn bad_subscripts_are_refused() {
        assert_eq!(read("i..,i", 2), "`.` is not supported");
        assert_eq!(read("...i...", 1), "`...` occurs twice among the labels of one array");
        assert_eq!(read("ijk...", 1), "`ijk...` has more labels than an array of 2 dimensions has axes");
        assert_eq!(read("i,j", 1), "they are for 2 operands, 1 are given");
        assert_eq!(read("i->k", 1), "no operand has the label `k` of the result");
        assert_eq!(read("ij->ii", 1), "a label occurs twice in the result");
        assert_eq!(read("a,,b", 2), "they are for 3 operands, 2 are given");
    }
}

//! The subscripts of `einsum`: `ij,jk->ik`.

/// The labels of each operand, then those of the result, as numbers. Without `->` the result has the labels that occur once, in
/// alphabetic order.
pub(super) fn parse(text: &str, operands: usize) -> Result<Vec<Vec<i64>>, String> {
    let text: String = text.chars().filter(|c| *c != ' ').collect();
    if let Some(bad) = text.replace("->", "").chars().find(|c| !c.is_ascii_alphabetic() && *c != ',') {
        return Err(format!("`{bad}` is not supported"));
    }
    let (inputs, output) = match text.split_once("->") {
        Some((inputs, output)) => (inputs, Some(output)),
        None => (&*text, None),
    };
    let mut lists: Vec<Vec<i64>> = inputs.split(',').map(numbers).collect();
    if lists.len() != operands {
        return Err(format!("they are for {} operands, {operands} are given", lists.len()));
    }
    let all: Vec<i64> = lists.concat();
    let count = |label: &i64| all.iter().filter(|other| *other == label).count();
    let result = match output {
        Some(output) => {
            let result = numbers(output);
            if let Some(&label) = result.iter().find(|label| count(label) == 0) {
                return Err(format!("no operand has the label `{}` of the result", label as u8 as char));
            }
            if (1..result.len()).any(|i| result[..i].contains(&result[i])) {
                return Err("a label occurs twice in the result".into());
            }
            result
        }
        None => {
            let mut once: Vec<i64> = all.iter().copied().filter(|label| count(label) == 1).collect();
            once.sort_unstable();
            once
        }
    };
    lists.push(result);
    Ok(lists)
}

fn numbers(labels: &str) -> Vec<i64> {
    labels.bytes().map(i64::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, operands: usize) -> String {
        let word = |list: &Vec<i64>| list.iter().map(|&label| label as u8 as char).collect::<String>();
        match parse(text, operands) {
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
    }

    #[test]
    fn bad_subscripts_are_refused() {
        assert_eq!(read("i...,i", 2), "`.` is not supported");
        assert_eq!(read("i,j", 1), "they are for 2 operands, 1 are given");
        assert_eq!(read("i->k", 1), "no operand has the label `k` of the result");
        assert_eq!(read("ij->ii", 1), "a label occurs twice in the result");
        assert_eq!(read("a,,b", 2), "they are for 3 operands, 2 are given");
    }
}

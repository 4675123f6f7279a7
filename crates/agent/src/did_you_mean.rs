//! The word somebody probably meant.

/// Returns the word nearest to what was written, if one is near enough.
pub fn did_you_mean<'a>(written: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A long text is no slip of the pen, and comparing costs its length squared.
    if written.len() > 40 {
        return None;
    }
    let lower = plain(written);
    let most = (lower.chars().count() / 3).max(1);
    words
        .into_iter()
        .filter(|word| word.len().abs_diff(written.len()) <= most + 1)
        .map(|word| (distance(&lower, &plain(word)), word))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// `max_iterations`, `max-iterations` and `maxIterations` are the same word.
fn plain(word: &str) -> String {
    word.chars().filter(|it| !matches!(it, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

/// How many characters to add, remove, change or swap with the next.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows = vec![vec![0; other.len() + 1]; one.len() + 1];
    for (row, cells) in rows.iter_mut().enumerate() {
        cells[0] = row;
    }
    for (column, cell) in rows[0].iter_mut().enumerate() {
        *cell = column;
    }
    for row in 1..=one.len() {
        for column in 1..=other.len() {
            let change = usize::from(one[row - 1] != other[column - 1]);
            let mut best = (rows[row - 1][column] + 1)
                .min(rows[row][column - 1] + 1)
                .min(rows[row - 1][column - 1] + change);
            let swapped = row > 1
                && column > 1
                && one[row - 1] == other[column - 2]
                && one[row - 2] == other[column - 1];
            if swapped {
                best = best.min(rows[row - 2][column - 2] + 1);
            }
            rows[row][column] = best;
        }
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word_and_another_word_finds_none() {
        let words = ["onSuccess", "onFailure", "maxIterations", "custom"];
        let check =
            |written, meant: Option<&str>| assert_eq!(did_you_mean(written, words), meant, "{written}");
        check("onSucess", Some("onSuccess"));
        check("on_success", Some("onSuccess"));
        check("max-iterations", Some("maxIterations"));
        check("cutsom", Some("custom"));
        check("timeout", None);
        check("", None);
    }
}

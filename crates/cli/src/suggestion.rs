//! "Did you mean": the known word that is nearest to a mistyped one.

/// Returns the known word that somebody who wrote `word` most likely meant.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.to_lowercase().chars().collect();
    // A third of the letters may be wrong; more is another word.
    let at_most = (word.len() / 3).max(1);
    let with_distance = known.into_iter().map(|candidate| {
        let letters: Vec<char> = candidate.to_lowercase().chars().collect();
        (distance(&word, &letters), candidate)
    });
    with_distance
        .filter(|(distance, _)| *distance <= at_most)
        .min_by_key(|(distance, _)| *distance)
        .map(|it| it.1)
}

/// Counts the letters to insert, drop, replace or swap with their neighbour.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for (i, letter) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, against) in other.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(letter != against);
            let mut best = replaced.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && one[i - 1] == *against && *letter == other[j - 1] {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 4] = ["enabled", "priority", "hotPathSafe", "path"];

    #[test]
    fn a_slip_leads_to_the_word_that_was_meant() {
        for (typed, meant) in [
            ("enable", "enabled"),
            ("prioirty", "priority"),
            ("hotpathsafe", "hotPathSafe"),
            ("hotPathSave", "hotPathSafe"),
            ("paht", "path"),
        ] {
            assert_eq!(nearest(typed, KNOWN), Some(meant), "{typed}");
        }
    }

    #[test]
    fn another_word_leads_nowhere() {
        for typed in ["colour", "x", "", "disabledModules"] {
            assert_eq!(nearest(typed, KNOWN), None, "{typed}");
        }
    }
}

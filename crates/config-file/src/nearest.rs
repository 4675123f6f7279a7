//! "Did you mean": the known word that is nearest to a mistyped one.

/// A shorter word is part of too many words to suggest one.
const TELLING: usize = 4;

/// The longest word that is compared.
const LONGEST: usize = 64;

/// Returns the known word that the author of `word` most likely meant: one with a few wrong letters,
/// or else the shortest that contains `word`.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A long string is not a typo, and comparing takes time quadratic in its length.
    if word.len() > LONGEST {
        return None;
    }
    let known: Vec<&str> = known.into_iter().collect();
    let word = plain(word);
    let letters: Vec<char> = word.chars().collect();
    // A third of the letters may be wrong; with more it is a different word.
    let at_most = (letters.len() / 3).max(1);
    let with_distance = known.iter().map(|candidate| {
        let against: Vec<char> = plain(candidate).chars().collect();
        (distance(&letters, &against), *candidate)
    });
    let slip = with_distance.filter(|found| found.0 <= at_most).min_by_key(|found| found.0);
    let whole = || {
        let with_it = known.iter().filter(|candidate| plain(candidate).contains(&word));
        with_it.min_by_key(|candidate| candidate.len()).filter(|_| letters.len() >= TELLING)
    };
    slip.map(|found| found.1).or_else(|| whole().copied())
}

/// Returns the hint "did you mean" for the nearest of the known words.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(word, known).map(|meant| format!("did you mean `{meant}`?"))
}

/// Ignores the style of a word: `max_iterations`, `max-iterations` and `maxIterations` are equal.
fn plain(word: &str) -> String {
    word.chars().filter(|it| !matches!(it, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

/// Counts the letters to insert, delete, replace or swap with their neighbour.
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
            ("safe", "hotPathSafe"),
            ("hot_path_safe", "hotPathSafe"),
            ("hot-path-safe", "hotPathSafe"),
        ] {
            assert_eq!(nearest(typed, KNOWN), Some(meant), "{typed}");
        }
    }

    #[test]
    fn another_word_leads_nowhere() {
        for typed in ["colour", "x", "", "disabledModules", &"path".repeat(100)] {
            assert_eq!(nearest(typed, KNOWN), None, "{typed}");
        }
    }
}

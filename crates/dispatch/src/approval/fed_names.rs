//! The names that a search for files gives to the next command: `find . -name '*.rs' | xargs wc -l`.

use modules::Context;
use shell::{Reading, Simple};

use super::folder_survey::Shown;
use super::{name_pattern, option_list};

/// Programs that pass lines on as they are, or leave some out.
const FILTERS: [&str; 5] = ["head", "tail", "sort", "uniq", "cat"];

/// Programs that read every file below a folder, or may be told to.
const RECURSIVE: [&str; 4] = ["ack", "ag", "diff", "rg"];

/// Returns which files below a folder a line can show whose names come from a search: those with the endings that the
/// search asks for, if nothing else of the line makes names.
pub(super) fn of(context: &Context<'_>, reading: &Reading) -> Shown {
    let mut endings = None;
    for command in &reading.commands {
        let is_recursive =
            command.program.ends_with("grep") && command.argv.iter().any(|word| word.text.contains("-r"));
        let is_fed = command.via.iter().any(|program| matches!(program.as_str(), "xargs" | "find"));
        let found = match command.program.as_str() {
            "find" => of_find(context, command),
            // A folder with such an ending has other files in it.
            program if is_fed && (is_recursive || RECURSIVE.contains(&program)) => None,
            program if is_fed || FILTERS.contains(&program) || program == "xargs" => continue,
            _ => None,
        };
        match (found, &endings) {
            (Some(found), None) => endings = Some(found),
            _ => return Shown::All,
        }
    }
    endings.map_or(Shown::All, Shown::Ending)
}

/// Returns the endings of the names that `find` prints. Returns `None` if it may print others.
fn of_find(context: &Context<'_>, command: &Simple) -> Option<Vec<String>> {
    let words: Vec<&str> = command.argv.iter().skip(1).map(|word| word.text.as_str()).collect();
    let is_negation = |word: &str| matches!(word, "!" | "-not");
    // A pattern in front of `-prune` and the like is no condition of what is printed.
    let is_plain = option_list::permits_find(command)
        && !words.iter().any(|word| matches!(*word, "-prune" | "-printf" | "-ls"))
        && !words.windows(2).any(|pair| is_negation(pair[0]) && pair[1] == "(");
    let mut endings = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let is_negated = at > 0 && is_negation(words[at - 1]);
        match *word {
            "-name" if !is_negated => endings.extend(name_pattern::extension(context, words.get(at + 1)?)?),
            // Both sides must ask for a name, and not for another than this.
            "-o" | "-or"
                if words.get(at + 1) != Some(&"-name")
                    || at < 2
                    || words[at - 2] != "-name"
                    || at > 2 && is_negation(words[at - 3]) =>
            {
                return None;
            }
            _ => {}
        }
    }
    (is_plain && !endings.is_empty()).then_some(endings)
}

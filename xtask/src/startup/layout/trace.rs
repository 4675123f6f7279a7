//! Which functions ran, from what callgrind wrote down.

use std::collections::BTreeSet;

/// Returns the linker's names of the functions in a callgrind file.
///
/// A function is named where it is first mentioned, as itself or as one that is called:
/// `fn=(12) name` or `cfn=(12) name`. A recursive one has its depth behind a quotation mark.
pub(super) fn functions(recorded: &str) -> BTreeSet<String> {
    recorded
        .lines()
        .filter_map(|line| line.strip_prefix('c').unwrap_or(line).strip_prefix("fn=("))
        .filter_map(|line| line.split_once(") ").map(|(_, name)| name))
        .map(|name| name.split('\'').next().unwrap_or(name))
        // What has no name is an address, or text in brackets.
        .filter(|name| !name.starts_with("0x") && !name.starts_with('('))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_named_where_they_are_first_mentioned() {
        let recorded = "events: Ir\nfn=(1) main\n3 4\ncfn=(2) _ZN4core3fmt17h0123456789abcdefE'2\ncalls=1 0\n\
                        fn=(2)\n5 6\nfn=(3) 0x000000000042a8ab\nfn=(4) (below main)\n";
        let names: Vec<_> = functions(recorded).into_iter().collect();
        assert_eq!(names, ["_ZN4core3fmt17h0123456789abcdefE", "main"]);
    }
}

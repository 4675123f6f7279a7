//! Checks that no file reveals the machine it was written on.

use super::finding::Finding;

/// Fictional home folders, made up for tests or put into recorded payloads, and the one in which Homebrew installs itself.
const PLACEHOLDER_USERS: &[&str] = &["..", "dev", "app", "app2", "user", "me", "you", "linuxbrew"];

const HINT: &str = "use a path relative to the checkout, or /home/dev where an absolute one is needed";

/// Finds absolute paths into a user's home folder or a workplace.
pub(crate) fn check(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for place in [concat!("/ro", "ot/"), concat!("/wo", "rk/")] {
            // The bare folder, or a hidden file in it, is knowledge about systems, not a trace of one.
            if starts(line, place).any(|rest| rest.starts_with(char::is_alphanumeric)) {
                findings.push(Finding::new(path, index + 1, format!("path of one machine: `{place}`"), HINT));
            }
        }
        for rest in starts(line, "/home/") {
            let user: String =
                rest.chars().take_while(|it| it.is_alphanumeric() || "._-".contains(*it)).collect();
            // One letter is not a user's name either.
            if user.len() > 1 && !PLACEHOLDER_USERS.contains(&user.as_str()) {
                findings.push(Finding::new(path, index + 1, format!("home folder of `{user}`"), HINT));
            }
        }
    }
    findings
}

/// Returns the text that follows `prefix` wherever an absolute path begins with it.
fn starts<'a>(line: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    line.match_indices(prefix).filter_map(move |(at, _)| {
        // After one of these, the slash is in the middle of a longer path or an address.
        let inside = line[..at]
            .chars()
            .next_back()
            .is_some_and(|it| it.is_alphanumeric() || "._-~*}>)\\".contains(it));
        (!inside).then(|| &line[at + prefix.len()..])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::briefly;

    #[test]
    fn a_home_folder_is_found() {
        let text = concat!("fine\nlet x = \"/ho", "me/jo/x\";\n");
        assert_eq!(briefly(&check("a.rs", text)), ["2: home folder of `jo`"]);
    }

    #[test]
    fn the_home_of_the_administrator_and_a_workplace_are_found() {
        let text = concat!("cd /ro", "ot/x\n(/wo", "rk/y)\n");
        let root = concat!("1: path of one machine: `/ro", "ot/`");
        let work = concat!("2: path of one machine: `/wo", "rk/`");
        assert_eq!(briefly(&check("a.md", text)), [root, work]);
    }

    #[test]
    fn the_home_of_nobody_and_places_inside_a_project_pass() {
        let text = "/home/dev/x\n/home/a/x /home/<user>\n/root/.ssh or \"/root/\"\nsrc/work/a\n~/work/b\n/workspace/demo\nhttps://x.example/home/jo\n";
        assert_eq!(check("a.md", text), []);
    }
}

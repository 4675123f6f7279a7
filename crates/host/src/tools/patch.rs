//! The paths in a patch: V4A headers, and unified diffs.

use event::Access;

use super::input_facts::InputFacts;

/// Adds the paths of a patch, and the content if it only adds one file.
pub(crate) fn read(text: &str, facts: &mut InputFacts) {
    let before = facts.touches.len();
    read_v4a(text, facts);
    if facts.touches.len() == before {
        read_unified(text, facts);
    }
}

/// Parses `*** Add File: `, `*** Update File: `, `*** Delete File: `, `*** Move to: `.
///
/// A line of context that looks like a header counts as one: a superfluous path is harmless, an
/// overlooked one is not checked.
fn read_v4a(text: &str, facts: &mut InputFacts) {
    let mut updated: Option<&str> = None;
    let mut n_headers = 0;
    for line in text.lines() {
        let Some((header, path)) = header(line) else { continue };
        n_headers += 1;
        match header {
            "Add File" => facts.touch(path, Access::Write),
            "Delete File" => facts.touch(path, Access::Delete),
            "Update File" => {
                facts.touch(path, Access::Write);
                updated = Some(path);
                continue;
            }
            _ => {
                if let Some(from) = updated {
                    facts.touches.pop_if(|last| last.path == from);
                    facts.touch(from, Access::Delete);
                }
                facts.touch(path, Access::Write);
            }
        }
        updated = None;
    }
    if n_headers == 1 {
        facts.content = facts.content.take().or_else(|| added(text));
    }
}

fn header(line: &str) -> Option<(&str, &str)> {
    let (header, path) = line.trim_start().strip_prefix("*** ")?.split_once(':')?;
    let known = ["Add File", "Update File", "Delete File", "Move to"];
    known.contains(&header).then(|| (header, path.trim()))
}

/// Returns the content of the only file that a patch adds.
fn added(text: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| header(line).is_none());
    header(lines.next()?).filter(|(header, _)| *header == "Add File")?;
    let body = lines.take_while(|line| !line.starts_with("*** "));
    let mut content = String::new();
    for line in body {
        content.push_str(line.strip_prefix('+')?);
        content.push('\n');
    }
    Some(content)
}

/// Parses `--- a/x` and `+++ b/y`, renames, and files of which only the mode or bytes change.
fn read_unified(text: &str, facts: &mut InputFacts) {
    let mut bare = Bare::default();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(names) = line.strip_prefix("diff --git ") {
            bare.end(facts);
            // Both names are equal here unless a rename follows, which has its own lines.
            bare.path = names.rsplit_once(" b/").map(|(_, path)| path.trim_end_matches('"'));
        } else if line.starts_with("deleted file mode") {
            bare.deleted = true;
        } else if let Some(path) = line.strip_prefix("rename from ") {
            bare.path = None;
            facts.touch(path.trim(), Access::Delete);
        } else if let Some(path) = line.strip_prefix("rename to ").or_else(|| line.strip_prefix("copy to ")) {
            bare.path = None;
            facts.touch(path.trim(), Access::Write);
        } else if let Some(old) = line.strip_prefix("--- ") {
            let Some(new) = lines.peek().and_then(|next| next.strip_prefix("+++ ")) else { continue };
            bare.path = None;
            changed(name(old, "a/"), name(new, "b/"), facts);
            lines.next();
        }
    }
    bare.end(facts);
}

/// A file of a git diff without content lines so far.
#[derive(Default)]
struct Bare<'a> {
    path: Option<&'a str>,
    deleted: bool,
}

impl Bare<'_> {
    fn end(&mut self, facts: &mut InputFacts) {
        if let Some(path) = self.path.take() {
            facts.touch(path, if self.deleted { Access::Delete } else { Access::Write });
        }
        self.deleted = false;
    }
}

fn changed(old: Option<&str>, new: Option<&str>, facts: &mut InputFacts) {
    match (old, new) {
        (Some(old), None) => facts.touch(old, Access::Delete),
        (Some(old), Some(new)) if old != new => {
            facts.touch(old, Access::Delete);
            facts.touch(new, Access::Write);
        }
        (_, Some(new)) => facts.touch(new, Access::Write),
        (None, None) => {}
    }
}

/// Returns the path in one of the two name lines. Returns `None` for `/dev/null`.
fn name<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let path = text.split('\t').next().unwrap_or(text).trim().trim_matches('"');
    (path != "/dev/null" && path != format!("{prefix}dev/null"))
        .then(|| path.strip_prefix(prefix).unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut facts = InputFacts::default();
        read(text, &mut facts);
        let touches: Vec<String> =
            facts.touches.iter().map(|touch| format!("{} {}", touch.access.as_str(), touch.path)).collect();
        assert_eq!(touches.join(", "), expected);
    }

    #[test]
    fn every_file_of_a_patch_is_found_and_a_move_has_two_ends() {
        check(
            "*** Begin Patch\n*** Add File: a.rs\n+x\n*** Update File: b c.rs\n*** Move to: d.rs\n@@\n-x\n+y\n  *** Delete File: e.rs\r\n*** Update File: f.rs\n@@\n+*** Add File: not.rs\n*** End Patch",
            "write a.rs, delete b c.rs, write d.rs, delete e.rs, write f.rs",
        );
    }

    #[test]
    fn a_patch_without_headers_is_read_as_a_diff() {
        check(
            "diff --git a/x.rs b/x.rs\n--- a/x.rs\n+++ b/x.rs\n@@ -1 +1 @@\n--- note\n+other\ndiff --git a/old b/old\ndeleted file mode 100644\n--- a/old\n+++ /dev/null\n",
            "write x.rs, delete old",
        );
        check("--- /dev/null\t2026\n+++ b/new.rs\t2026\n", "write new.rs");
        check("diff --git a/p.png b/p.png\nBinary files differ\n", "write p.png");
        check("diff --git a/p.png b/p.png\ndeleted file mode 100644\n", "delete p.png");
        check("diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n", "delete a, write b");
        check("nothing of the kind", "");
    }

    #[test]
    fn the_content_of_a_single_new_file_is_known() {
        let content = |text: &str| {
            let mut facts = InputFacts::default();
            read(text, &mut facts);
            facts.content
        };
        assert_eq!(
            content("*** Begin Patch\n*** Add File: a\n+one\n+\n+two\n*** End Patch\n").as_deref(),
            Some("one\n\ntwo\n")
        );
        assert_eq!(content("*** Add File: a\n+one\n*** Add File: b\n+two\n"), None);
        assert_eq!(content("*** Update File: a\n@@\n+one\n"), None);
    }
}

//! Patches: the files that the text of one names.

#![expect(clippy::unnecessary_wraps, reason = "all looks have one signature")]

use crate::limits::MAX_SCRIPT_BYTES;
use crate::programs::Args;
use crate::reading::{Class, Doubt};
use crate::text::Text;
use crate::walk::{Act, Call, Walker};

/// Files are never followed beyond so many; the rest is found afterwards.
const MAX_FILES: usize = 512;

/// The command that some agents put a patch into, which their program carries out itself.
pub(crate) fn apply_patch(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let patch = args.operands.first().map(|patch| (*patch).clone()).or_else(|| walker.stdin().cloned());
    let Some(patch) = patch.filter(Text::is_known) else { return Some(Class::Unknown) };
    for line in patch.text.lines() {
        let names = |head: &str| line.trim().strip_prefix(head).map(|name| Text::known(name.trim()));
        if let Some(file) = names("*** Delete File:") {
            walker.delete_path(&file, false, call.span);
        }
        for head in ["*** Add File:", "*** Update File:", "*** Move to:"] {
            if let Some(file) = names(head) {
                walker.write_path(&file, call.span);
            }
        }
    }
    None
}

/// `patch`: changes the file on its line, or the files that the patch names.
pub(crate) fn patch(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let dry = args.has("--dry-run");
    let input = args.operands.get(1).copied().or_else(|| args.values("-i|--input").first().copied()).cloned();
    let text = match &input {
        Some(file) => {
            walker.read_path(file, call.span);
            content(walker, file)
        }
        None => typed(walker),
    };
    if dry {
        return Some(Class::ReadOnly);
    }
    let folder = args.values("-d|--directory").last().map(|folder| (*folder).clone());
    let output = args.values("-o|--output").last().map(|output| (*output).clone());
    let target = args.operands.first().map(|target| (*target).clone());
    let strip = args.values("-p|--strip").last().and_then(|strip| strip.text.parse().ok());
    walker.in_folder(folder.as_ref(), |walker| match (output.or(target), text) {
        (Some(target), _) => drop(walker.write_path(&target, call.span)),
        // Without `-p` only the last part of a name counts.
        (None, Some(text)) => touch_files(walker, call, &text, strip.unwrap_or(usize::MAX), ""),
        (None, None) => match &folder {
            Some(_) => drop(walker.write_path(&Text::known("."), call.span)),
            None => walker.doubt(Doubt::Effects, call.name.clone(), call.span),
        },
    });
    Some(Class::Writes)
}

/// `git apply` and `git am`, as far as their patches can be read.
pub(super) fn git_apply(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) {
    let strip = args.values("-p").last().and_then(|strip| strip.text.parse().ok()).unwrap_or(1);
    let below = args.values("--directory").last().map(|folder| (*folder).clone());
    let prefix =
        below.as_ref().map_or(String::new(), |folder| format!("{}/", folder.text.trim_end_matches('/')));
    let mut texts: Vec<Option<String>> =
        args.operands.iter().filter(|file| file.text != "-").map(|file| content(walker, file)).collect();
    if texts.is_empty() {
        texts.push(typed(walker));
    }
    let n_unread = texts.iter().filter(|text| text.is_none()).count();
    for text in texts.into_iter().flatten() {
        touch_files(walker, call, &text, strip, &prefix);
    }
    // An unreadable patch changes files below its folder.
    if let Some(folder) = below.filter(|_| n_unread > 0) {
        walker.write_path(&folder, call.span);
    }
}

/// Returns the content of a file: written by this line, or on the disk.
fn content(walker: &Walker<'_>, file: &Text) -> Option<String> {
    let written = walker.content_of(file);
    if let Some(known) = written {
        return known.value().map(str::to_owned);
    }
    read(walker, &walker.resolve(file).0)
}

/// Returns the text on standard input, also if it comes from a file.
fn typed(walker: &Walker<'_>) -> Option<String> {
    let input = walker.stdin()?;
    if let Some(text) = input.value() {
        return Some(text.to_owned());
    }
    let file = input.text.strip_prefix("$(<")?.strip_suffix(')')?;
    read(walker, &walker.resolve(&Text::known(file)).0)
}

fn read(walker: &Walker<'_>, path: &str) -> Option<String> {
    let bytes = walker.place.files.read(path, MAX_SCRIPT_BYTES)?;
    // A patch that is longer names more than was read.
    (bytes.len() < MAX_SCRIPT_BYTES).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// Records the files that a patch in the form of `diff` names.
fn touch_files(walker: &mut Walker<'_>, call: &Call, patch: &str, strip: usize, prefix: &str) {
    let mut touch = |name: &str, act| {
        let name = stripped(name, strip);
        if !name.is_empty() {
            walker.touch(act, &Text::known(format!("{prefix}{name}")), call.span);
        }
    };
    let mut before = "";
    for line in patch.lines().take(MAX_SCRIPT_BYTES).filter(|line| is_head(line)).take(4 * MAX_FILES) {
        if let Some(name) = line.strip_prefix("--- ") {
            before = name;
        } else if let Some(name) = line.strip_prefix("+++ ") {
            if name.starts_with("/dev/null") {
                touch(before, Act::Delete { recursive: false });
            } else {
                touch(name, Act::Write);
            }
        } else if let Some(names) = line.strip_prefix("diff --git ") {
            // The only line that names a binary file, or one whose mode alone changes.
            if let Some((_, name)) = names.rsplit_once(' ') {
                touch(name, Act::Write);
            }
        } else if let Some(name) = line.strip_prefix("rename from ") {
            touch(&format!("a/{name}"), Act::Delete { recursive: false });
        } else if let Some(name) = line.strip_prefix("rename to ").or_else(|| line.strip_prefix("copy to ")) {
            touch(&format!("b/{name}"), Act::Write);
        }
    }
}

fn is_head(line: &str) -> bool {
    ["--- ", "+++ ", "diff --git ", "rename ", "copy to "].iter().any(|head| line.starts_with(head))
}

/// A name without its first parts, and without the time behind it.
fn stripped(name: &str, strip: usize) -> &str {
    let name = name.split('\t').next().unwrap_or(name).trim().trim_matches('"');
    let mut rest = name;
    for _ in 0..strip.min(64) {
        match rest.split_once('/') {
            Some((_, behind)) => rest = behind,
            None => break,
        }
    }
    rest
}

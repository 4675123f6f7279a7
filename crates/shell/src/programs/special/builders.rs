//! cmake and meson: the folder they build in, and the small programs that cmake carries.

use crate::programs::Args;
use crate::reading::Class;
use crate::text::Text;
use crate::walk::{Call, Walker};

/// Commands of `cmake -E`, and the words that do the same.
const CARRIED: &[(&str, &[&str])] = &[
    ("copy", &["cp"]),
    ("copy_if_different", &["cp"]),
    ("copy_if_newer", &["cp"]),
    ("copy_directory", &["cp", "-r"]),
    ("copy_directory_if_different", &["cp", "-r"]),
    ("create_hardlink", &["ln"]),
    ("create_symlink", &["ln", "-s"]),
    ("make_directory", &["mkdir", "-p"]),
    ("remove", &["rm"]),
    ("remove_directory", &["rm", "-r"]),
    ("rename", &["mv"]),
    ("rm", &["rm"]),
    ("tar", &["tar"]),
    ("touch", &["touch"]),
    ("touch_nocreate", &["touch"]),
    ("env", &["env"]),
    ("time", &["time"]),
    ("cat", &["cat"]),
    ("compare_files", &["cmp"]),
    ("echo", &["echo"]),
    ("echo_append", &["echo"]),
    ("md5sum", &["md5sum"]),
    ("sha256sum", &["sha256sum"]),
];

/// `cmake -E copy a b` is `cp a b`.
pub(crate) fn cmake(walker: &mut Walker<'_>, call: &Call, _: &Args<'_>) -> Option<Class> {
    let [first, carried, rest @ ..] = call.rest() else { return None };
    if first.text != "-E" {
        return None;
    }
    if carried.text == "chdir" {
        let [folder, command @ ..] = rest else { return None };
        let mut argv: Vec<Text> = ["env", "-C"].map(Text::known).to_vec();
        argv.push(folder.clone());
        argv.extend_from_slice(command);
        walker.through(&call.name, |walker| walker.invoke(argv, call.span));
        return Some(Class::ReadOnly);
    }
    let (_, words) = CARRIED.iter().find(|(name, _)| *name == carried.text)?;
    let mut argv: Vec<Text> = words.iter().map(|word| Text::known(*word)).collect();
    argv.extend_from_slice(rest);
    walker.through(&call.name, |walker| walker.invoke(argv, call.span));
    Some(Class::ReadOnly)
}

/// `meson setup build`, or without the word.
pub(crate) fn meson(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.word(0) == "setup"
        && let Some(folder) = args.operands.get(1)
    {
        walker.write_path(folder, call.span);
    }
    None
}

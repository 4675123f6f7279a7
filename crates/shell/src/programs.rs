//! The table of programs: the effects of everyday tools, as data.
//!
//! One file per family; a row states the effects of a program on its words and
//! carries examples that a test runs. Rows that need more than data point to a
//! function in `special`.

mod apply;
mod args;
mod cloud;
mod containers;
mod databases;
#[cfg(test)]
mod derived;
mod develop;
#[cfg(test)]
mod examples;
mod files;
pub(crate) mod folders;
mod git;
mod index;
pub(crate) mod looks;
mod network;
pub(crate) mod options;
mod packages;
mod row;
mod special;
mod system;
mod text;
pub(crate) mod wrappers;

pub(crate) use apply::apply;
pub(crate) use args::Args;
pub(crate) use row::{Operands, Program};
pub use special::{OwnCommand, own_command};
pub(crate) use special::{is_foreign_registry, is_stranger, reaches_node, rule_of_statement};

/// All families.
pub(crate) static FAMILIES: [&[Program]; 10] = [
    files::PROGRAMS,
    text::PROGRAMS,
    git::PROGRAMS,
    develop::PROGRAMS,
    packages::PROGRAMS,
    network::PROGRAMS,
    containers::PROGRAMS,
    system::PROGRAMS,
    databases::PROGRAMS,
    cloud::PROGRAMS,
];

/// Families whose programs change files; the others change services, machines, databases.
pub(crate) static FAMILIES_OF_FILES: [&[Program]; 4] =
    [files::PROGRAMS, text::PROGRAMS, develop::PROGRAMS, packages::PROGRAMS];

/// The row of a program whose only known calls are those that [`looks`] proves to change nothing.
static LISTED: Program = row::listed();

/// Finds the row of a program.
pub(crate) fn find(name: &str) -> Option<&'static Program> {
    index::positions(name)
        .map(|(family, row)| &FAMILIES[family][row])
        .find(|program| program.name == name)
        .or_else(|| looks::sections(name).next().map(|_| &LISTED))
}

/// Returns the name a program is known by: without `.exe`, version suffix or a leading `g` of GNU tools.
pub(crate) fn canonical(base: &str) -> &str {
    let base = base.strip_suffix(".exe").or_else(|| base.strip_suffix(".cmd")).unwrap_or(base);
    // Packages whose program has another name: `npx @anthropic-ai/claude-code@latest`.
    match base.split('@').next().unwrap_or(base) {
        "claude-code" => return "claude",
        "gemini-cli" => return "gemini",
        "qwen-code" => return "qwen",
        "codex" if base.len() > 5 => return "codex",
        "rimraf" => return "rimraf",
        "del-cli" => return "rimraf",
        _ => {}
    }
    if is_known(base) {
        return base;
    }
    let trimmed = base.trim_end_matches(|character: char| {
        character.is_ascii_digit() || character == '.' || character == '-'
    });
    if trimmed.len() < base.len() && is_known(trimmed) {
        return trimmed;
    }
    if let Some(family) =
        base.strip_prefix("mkfs.").map(|_| "mkfs").or_else(|| base.strip_prefix("fsck.").map(|_| "fsck"))
    {
        return family;
    }
    // The loader of programs, which runs any: `/lib64/ld-linux-x86-64.so.2 /bin/ls`.
    if (base.starts_with("ld-linux") || base.starts_with("ld-musl")) && base.contains(".so") {
        return "ld.so";
    }
    match base.strip_prefix('g') {
        Some(gnu)
            if matches!(
                gnu,
                "rm" | "sed"
                    | "awk"
                    | "tar"
                    | "find"
                    | "xargs"
                    | "dd"
                    | "mv"
                    | "cp"
                    | "cat"
                    | "shred"
                    | "chmod"
                    | "chown"
                    | "env"
                    | "nohup"
            ) =>
        {
            gnu
        }
        _ => base,
    }
}

/// Returns whether a word in command position names something that runs as this table says, a shell included.
pub(crate) fn is_program(word: &str) -> bool {
    let name = canonical(crate::walk::base_name(word));
    is_known(name) || crate::walk::is_shell(name)
}

fn is_known(name: &str) -> bool {
    find(name).is_some()
        || wrappers::find(name).is_some()
        || crate::code::Language::of_program(name).is_some()
}

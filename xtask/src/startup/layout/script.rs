//! The linker script that names the pieces in the order in which they are to lie.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

use super::link_map::Piece;

/// The pieces that were touched, as patterns, with how much each counts.
#[derive(Debug, Default)]
pub(super) struct Script {
    code: BTreeMap<String, usize>,
    data: BTreeMap<String, usize>,
}

/// An agent announces its calls more often than anything else happens, and waits for the answer.
const ANNOUNCEMENT: usize = 100;

/// The name of a confined run among the events. A shell call waits for it.
pub(super) const CONFINED_RUN: &str = "run";

/// More than any piece gets from the rarer events, so that the pieces of a confined run lie together.
const RUN: usize = 50;

impl Script {
    /// Adds the pieces that one event touched.
    pub(super) fn add(&mut self, event: &str, pieces: &[&Piece]) {
        let weight = match event {
            "PreToolUse" => ANNOUNCEMENT,
            CONFINED_RUN => RUN,
            _ => 1,
        };
        for piece in pieces {
            let kind = if piece.section.starts_with(".text") { &mut self.code } else { &mut self.data };
            *kind.entry(pattern(piece)).or_default() += weight;
        }
    }

    /// Returns how many patterns there are for code and for data.
    pub(super) fn len(&self) -> (usize, usize) {
        (self.code.len(), self.data.len())
    }

    /// Returns the script: what most events need comes first. Symbols mark the part that at least half as many
    /// events touch as the piece that most do: a hook maps that part at once (`crates/cli/src/hook/pages.rs`).
    pub(super) fn text(&self) -> String {
        let mut text =
            "/* What hooks touch, so that it lies together. Made by `cargo xtask layout`. */\n".to_owned();
        for (section, name, pieces) in [(".text", "code", &self.code), (".rodata", "constants", &self.data)] {
            let mut patterns: Vec<_> = pieces.iter().collect();
            patterns.sort_by_key(|(pattern, weight)| (Reverse(**weight), pattern.as_str()));
            let most = patterns.first().map_or(0, |(_, weight)| **weight);
            let n_usual = patterns.iter().take_while(|(_, weight)| **weight * 2 >= most).count();
            let _ = writeln!(text, "SECTIONS\n{{\n  {section}.hooks :\n  {{\n    hook_{name}_begin = .;");
            for (at, (pattern, _)) in patterns.into_iter().enumerate() {
                if at == n_usual {
                    let _ = writeln!(text, "    hook_{name}_end = .;");
                }
                let _ = writeln!(text, "    {pattern}");
            }
            if n_usual == pieces.len() {
                let _ = writeln!(text, "    hook_{name}_end = .;");
            }
            let _ = writeln!(text, "  }}\n}}\nINSERT BEFORE {section};");
        }
        text
    }
}

/// Returns the name that a piece has in every build.
fn pattern(piece: &Piece) -> String {
    let section = without_hashes(&piece.section);
    // A name of its own needs no file. Others are of everything an assembler or a C compiler put together.
    if section.contains("_R") || section.contains(".Lanon.") {
        return format!("*({section})");
    }
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let file = match piece.file.strip_suffix(')').and_then(|file| file.split_once('(')) {
        Some((library, member)) => format!("*{}:{member}", without_build(&name(library))),
        None => format!("*{}", without_build(&name(&piece.file))),
    };
    format!("{file}({section})")
}

/// `libring-275c7221174c705c.rlib` and `steersman-8461b02327d12ece.steersman.5b97aeb6f9cd53be-cgu.0.rcgu.o`
/// are named after the build.
fn without_build(file: &str) -> String {
    match file.split_once('-') {
        Some((name, rest)) => {
            let ending = rest.rsplit_once('.').map_or("", |(_, ending)| ending);
            format!("{name}-*.{ending}")
        }
        None => file.to_owned(),
    }
}

/// Takes out of a name what changes with the compiler: `Cs7BliBxkEZsN_4core` is `core` with a hash of
/// its version, and the part behind `.llvm.` is a hash of the whole program.
fn without_hashes(name: &str) -> String {
    let (name, end) = name.split_once(".llvm.").map_or((name, ""), |(name, _)| (name, "*"));
    let mut out = String::new();
    let mut rest = name;
    while let Some(at) = rest.find("Cs") {
        let (before, after) = rest.split_at(at + "Cs".len());
        out += before;
        let end = after.find('_').unwrap_or(0);
        let is_hash =
            (8..=13).contains(&end) && after[..end].bytes().all(|byte| byte.is_ascii_alphanumeric());
        rest = if is_hash { &after[end..] } else { after };
        if is_hash {
            out.push('*');
        }
    }
    out + rest + end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::startup::layout::link_map::LinkMap;

    fn piece(section: &str, file: &str) -> Piece {
        let map = LinkMap::parse(&format!(" {section} 0x1 0x1 {file}\n"));
        map.at(1).unwrap().clone()
    }

    #[test]
    fn names_lose_what_changes_from_build_to_build() {
        let object = "/t/deps/steersman-8461b02327d12ece.steersman.5b97aeb6f9cd53be-cgu.0.rcgu.o";
        for (section, file, expected) in [
            (".text._RNvNtCs7BliBxkEZsN_4core3fmt5write", object, "*(.text._RNvNtCs*_4core3fmt5write)"),
            (
                ".text.unlikely._RNvCs7BliBxkEZsN_4core3a.llvm.77",
                object,
                "*(.text.unlikely._RNvCs*_4core3a*)",
            ),
            (".rodata..Lanon.79306990c7b0b2d8.40", object, "*(.rodata..Lanon.79306990c7b0b2d8.40)"),
            (".rodata.cst16", object, "*steersman-*.o(.rodata.cst16)"),
            (".text", "/l/libc.a(memcpy.lo)", "*libc.a:memcpy.lo(.text)"),
            (".text", "/l/libring-275c7221174c705c.rlib(x-p256.o)", "*libring-*.rlib:x-p256.o(.text)"),
            (".text", "/l/crt1.o", "*crt1.o(.text)"),
        ] {
            assert_eq!(pattern(&piece(section, file)), expected);
        }
    }

    #[test]
    fn what_calls_need_comes_first_and_then_what_most_events_need() {
        let [call, often, rare, data] = [".text._Rcall", ".text._Roften", ".text._Rrare", ".rodata._Rdata"]
            .map(|name| piece(name, "x.o"));
        let mut script = Script::default();
        script.add("Stop", &[&rare, &often]);
        script.add("Stop", &[&often]);
        script.add("PreToolUse", &[&call, &data]);
        let text = script.text();
        let at = |name: &str| text.find(name).unwrap();
        assert!(at("_Rcall") < at("_Roften") && at("_Roften") < at("_Rrare"), "{text}");
        assert!(at("INSERT BEFORE .text;") < at("_Rdata") && text.ends_with("INSERT BEFORE .rodata;\n"));
        assert!(at("hook_code_begin") < at("_Rcall") && at("_Rcall") < at("hook_code_end"), "{text}");
        assert!(at("hook_code_end") < at("_Roften") && at("_Rdata") < at("hook_constants_end"), "{text}");
        assert_eq!(script.len(), (3, 1));
    }
}

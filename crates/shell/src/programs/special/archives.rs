//! Archives other than tar and zip: where they are unpacked to, and the archive itself.

#![expect(clippy::unnecessary_wraps, reason = "all looks have one signature")]

use super::move_data::{below, is_all};
use crate::programs::Args;
use crate::reading::Class;
use crate::text::Text;
use crate::walk::{Call, Walker};

/// `7z x a.7z -ofolder`, `7z a a.7z files`.
pub(crate) fn seven_zip(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    match args.word(0) {
        "l" | "t" | "h" | "i" | "b" | "" => return Some(Class::ReadOnly),
        "x" | "e" => {
            let folder = call.rest().iter().find(|word| word.text.starts_with("-o") && word.text.len() > 2);
            let folder = folder.map_or_else(|| Text::known("."), |folder| folder.slice(2, folder.text.len()));
            walker.write_path(&folder, call.span);
            let keeps = call.rest().iter().any(|word| matches!(word.text.as_str(), "-aos" | "-aou" | "-so"));
            if !keeps && args.operands.iter().skip(2).all(|member| is_all(&member.text)) {
                walker.unpack_unnamed(&folder, call.span);
            }
            for member in args.operands.iter().skip(2) {
                walker.write_path(&below(&folder, &member.text, true), call.span);
            }
        }
        _ => {
            if let Some(archive) = args.operands.get(1) {
                walker.write_path(archive, call.span);
            }
            // Packs the files and deletes them.
            if call.rest().iter().any(|word| word.text == "-sdel") {
                for packed in args.operands.iter().skip(2) {
                    walker.delete_path(packed, true, call.span);
                }
            }
        }
    }
    Some(Class::Writes)
}

/// `ar rcs lib.a a.o`: letters, the archive, its members.
pub(crate) fn ar(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let words = call.rest();
    let letters = words.first().map_or("", |word| word.text.trim_start_matches('-'));
    if letters.starts_with(['t', 'p']) {
        return Some(Class::ReadOnly);
    }
    if letters.starts_with('x') {
        walker.write_path(&Text::known("."), call.span);
        return Some(Class::Writes);
    }
    let archive = args.operands.iter().find(|word| word.text != letters);
    if let Some(archive) = archive {
        walker.write_path(archive, call.span);
    }
    Some(Class::Writes)
}

/// `cpio -i` unpacks here or in `-D`, `cpio -o` writes to `-O`, `cpio -p` copies into a folder.
pub(crate) fn cpio(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("-t|--list") {
        return Some(Class::ReadOnly);
    }
    let folder = args.values("-D|--directory").last().map(|folder| (*folder).clone());
    let archive = args.values("-O|-F|--file").last().map(|archive| (*archive).clone());
    let target = if args.has("-o|--create") {
        archive
    } else if args.has("-p|--pass-through") {
        args.operands.last().map(|target| (*target).clone())
    } else {
        let folder = folder.unwrap_or_else(|| Text::known("."));
        if args.operands.iter().all(|member| is_all(&member.text)) {
            walker.unpack_unnamed(&folder, call.span);
        }
        for member in &args.operands {
            walker.write_path(&below(&folder, &member.text, true), call.span);
        }
        Some(folder)
    };
    if args.has("-p|--pass-through")
        && args.has("-u|--unconditional")
        && let Some(target) = &target
    {
        walker.unpack_unnamed(target, call.span);
    }
    if let Some(target) = target {
        walker.write_path(&target, call.span);
    }
    Some(Class::Writes)
}

/// `jar xf a.jar`, `unrar x a.rar folder/`, `ditto -xk a.zip folder`: unpacks all members.
pub(crate) fn unpack(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let letters = args.word(0).trim_start_matches('-');
    let (unpacks, folder) = match call.name.as_str() {
        "jar" => {
            (args.has("-x|--extract") || letters.starts_with('x'), args.values("-C|--dir").first().copied())
        }
        "unrar" | "rar" => (letters.starts_with(['x', 'e']), args.operands.get(2).copied()),
        "ditto" => (args.has("-x"), args.operands.last().copied()),
        _ => (true, args.values("-o|-output-directory|--extract-to|-X").first().copied()),
    };
    if unpacks {
        let folder = folder.cloned().unwrap_or_else(|| Text::known("."));
        walker.write_path(&folder, call.span);
        if !args.has("-o-|--keep-old-files|-k") {
            walker.unpack_unnamed(&folder, call.span);
        }
    }
    None
}

/// `pax -r` unpacks here, `pax -w -f a` writes an archive, `pax -rw … folder` copies.
pub(crate) fn pax(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let target = match (args.has("-r"), args.has("-w")) {
        (true, true) => args.operands.last().map(|target| (*target).clone()),
        (true, false) => {
            if !args.has("-k") && args.operands.iter().all(|member| is_all(&member.text)) {
                walker.unpack_unnamed(&Text::known("."), call.span);
            }
            Some(Text::known("."))
        }
        (false, true) => args.values("-f").last().map(|archive| (*archive).clone()),
        (false, false) => return Some(Class::ReadOnly),
    };
    if let Some(target) = target {
        walker.write_path(&target, call.span);
    }
    Some(Class::Writes)
}

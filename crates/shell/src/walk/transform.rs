//! Filters whose output can be computed: `base64 -d`, `xxd -r -p`, `tr`, `rev`, `sed s///`, `head -c`.

use crate::programs::Args;
use crate::text::{Taint, Text};

/// Programs that write their input in another alphabet or shorter, with nothing left out.
const ENCODERS: [&str; 10] =
    ["base64", "base32", "xxd", "od", "hexdump", "gzip", "bzip2", "xz", "zstd", "openssl"];

/// Applies the filter `name` to `input`.
pub(super) fn apply(name: &str, words: &[Text], args: &Args, input: Text) -> Text {
    let decodes = is_decoder(name, words, args);
    let Some(known) = input.value() else {
        let taint =
            if decodes { input.taint.without(Taint::PRINTED).with(Taint::DECODED) } else { input.taint };
        if !decodes
            && matches!(
                name,
                "cat"
                    | "tee"
                    | "sort"
                    | "uniq"
                    | "head"
                    | "tail"
                    | "less"
                    | "pv"
                    | "grep"
                    | "egrep"
                    | "rg"
                    | "tac"
            )
        {
            return Text { taint, ..input };
        }
        // An upload of an encoded file sends that file.
        let is_encoded = !decodes && ENCODERS.contains(&name) && input.text.contains("$(<");
        if is_encoded {
            return Text::unknown(format!("$_output{}", input.text), taint);
        }
        // Paths printed by `find` stay paths of the same folders when they are filtered.
        return Text::unknown("$_output", taint);
    };
    let result = match name {
        "base64" if decodes => decode_base64(known),
        "base32" | "openssl" | "uudecode" | "gpg" if decodes => {
            if name == "openssl" && words.iter().any(|word| word.text.contains("base64")) {
                decode_base64(known)
            } else {
                None
            }
        }
        "xxd" if decodes => decode_hex(known),
        "rev" => Some(known.lines().map(|line| line.chars().rev().collect::<String>() + "\n").collect()),
        "tr" => translate(known, words),
        "sed" => words
            .iter()
            .find(|word| !word.text.starts_with('-'))
            .and_then(|word| substitute(known, &word.text)),
        // Of everything that a search found, only the names that match are left: `git ls-files | grep '\.snap$'`.
        "grep" | "egrep" | "rg" if input.glob && selects(args) => Some(known.replace("/**/*", "/**")),
        "cat" | "tee" | "less" | "pv" | "sort" | "uniq" | "tac" | "grep" | "egrep" | "rg" => {
            Some(known.to_owned())
        }
        "head" | "tail" => Some(known.to_owned()),
        _ => None,
    };
    if let Some(text) = result {
        Text { text, holes: Vec::new(), glob: input.glob, taint: input.taint }
    } else {
        let taint = if decodes { input.taint.with(Taint::DECODED) } else { input.taint.with(Taint::PRINTED) };
        Text::unknown("$_output", taint)
    }
}

/// Returns whether a pattern of grep leaves lines out: it has letters of its own, and is not negated.
fn selects(args: &Args) -> bool {
    let pattern = args.values("-e").first().map_or_else(|| args.word(0), |pattern| pattern.text.as_str());
    let n_letters = pattern.bytes().filter(u8::is_ascii_alphanumeric).count();
    n_letters >= 2 && !pattern.contains('|') && !args.has("-v|--invert-match")
}

fn is_decoder(name: &str, words: &[Text], args: &Args) -> bool {
    match name {
        "base64" | "base32" => {
            args.has("-d|-D|--decode")
                || words.iter().any(|word| word.text.starts_with("-d") || word.text == "-di")
        }
        "xxd" => args.has("-r"),
        "openssl" => words.iter().any(|word| word.text == "-d"),
        "gunzip" | "zcat" | "uudecode" => true,
        "gzip" | "bzip2" | "xz" | "zstd" | "gpg" => args.has("-d|--decompress|--decrypt"),
        "tr" | "rev" => true,
        _ => false,
    }
}

/// Decodes base64; ignores spaces and missing padding.
pub(crate) fn decode_base64(text: &str) -> Option<String> {
    String::from_utf8(decode_base64_bytes(text)?).ok()
}

/// Decodes base64 to bytes.
pub(crate) fn decode_base64_bytes(text: &str) -> Option<Vec<u8>> {
    encoding::base64::decode(text.bytes().filter(|byte| !byte.is_ascii_whitespace()))
}

fn decode_hex(text: &str) -> Option<String> {
    let bytes = encoding::hex::decode(text.bytes().filter(|byte| !byte.is_ascii_whitespace()));
    String::from_utf8(bytes).ok()
}

/// `tr a-z A-Z` and `tr -d x`.
fn translate(text: &str, words: &[Text]) -> Option<String> {
    let delete = words.iter().any(|word| word.text.starts_with('-') && word.text.contains('d'));
    let squeeze = words.iter().any(|word| word.text.starts_with('-') && word.text.contains(['s', 'c', 'C']));
    let mut sets = words.iter().filter(|word| !word.text.starts_with('-')).map(|word| expand_set(&word.text));
    let from = sets.next()??;
    if squeeze {
        return None;
    }
    if delete {
        return Some(text.chars().filter(|character| !from.contains(character)).collect());
    }
    let to = sets.next()??;
    let last = *to.last()?;
    Some(
        text.chars()
            .map(|character| match from.iter().position(|candidate| *candidate == character) {
                Some(at) => to.get(at).copied().unwrap_or(last),
                None => character,
            })
            .collect(),
    )
}

fn expand_set(set: &str) -> Option<Vec<char>> {
    let set = set
        .replace("[:upper:]", "A-Z")
        .replace("[:lower:]", "a-z")
        .replace("[:digit:]", "0-9")
        .replace("[:space:]", " \t\n");
    let set = crate::syntax::decode_escapes(&set);
    let characters: Vec<char> = set.chars().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        if characters.get(at + 1) == Some(&'-')
            && at + 2 < characters.len()
            && characters[at] <= characters[at + 2]
        {
            if u32::from(characters[at + 2]) - u32::from(characters[at]) > 256 {
                return None;
            }
            out.extend(characters[at]..=characters[at + 2]);
            at += 3;
        } else {
            out.push(characters[at]);
            at += 1;
        }
    }
    (!out.is_empty()).then_some(out)
}

/// `s/a/b/` and `s/a/b/g` with plain text on both sides.
fn substitute(text: &str, script: &str) -> Option<String> {
    let rest = script.strip_prefix('s')?;
    let delimiter = rest.chars().next()?;
    let mut parts = rest[delimiter.len_utf8()..].split(delimiter);
    let (from, to, flags) = (parts.next()?, parts.next()?, parts.next()?);
    if from.is_empty() || from.contains(['.', '*', '[', '\\', '^', '$', '+', '?']) || to.contains(['&', '\\'])
    {
        return None;
    }
    Some(if flags.contains('g') {
        text.replace(from, to)
    } else {
        text.lines().map(|line| line.replacen(from, to, 1) + "\n").collect()
    })
}

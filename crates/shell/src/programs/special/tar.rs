//! `tar`: the files it packs and unpacks, and the programs it runs.

use super::move_data::{below, is_all, keep_taint};
use crate::guard::RuleId;
use crate::programs::Args;
use crate::programs::options::{Found, Item, Options, Spec};
use crate::reading::{Class, Origin};
use crate::text::{Taint, Text};
use crate::walk::{Call, Walker};

const SPEC: Spec<'static> = Spec {
    values: "-f -C -T -X -I -b -F -V -g -N -K -H -L --file --directory --files-from --exclude-from --use-compress-program --blocking-factor --info-script --new-volume-script --label --listed-incremental --newer --after-date --newer-mtime --starting-file --format --tape-length --checkpoint-action --to-command --rsh-command --rmt-command --transform --xform --exclude --exclude-tag --exclude-ignore --owner --group --owner-map --group-map --mode --mtime --strip-components --suffix --record-size --level --add-file --warning --volno-file --index-file --sort --quoting-style --pax-option --set-mtime-command --no-quote-chars --quote-chars",
    optional: "--checkpoint --occurrence --one-top-level --backup --totals --atime-preserve --hole-detection --sparse-version",
    flags: "-A -B -G -M -O -P -R -S -U -W -Z -a -c -d -h -i -j -J -k -l -m -n -o -p -r -s -t -u -v -w -x -z --append --bzip2 --catenate --concatenate --compare --create --delete --diff --extract --get --gzip --list --update --verbose --xz --zstd --lzma --auto-compress --remove-files --to-stdout --keep-old-files --skip-old-files --overwrite --same-owner --numeric-owner --wildcards --anchored --exclude-vcs --absolute-names --dereference --verify --interactive --null",
    is_partial: false,
};

/// The use of the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Mode {
    #[default]
    List,
    Pack,
    Unpack,
}

/// The parsed words of a call.
#[derive(Default)]
struct Parsed {
    mode: Mode,
    removes: bool,
    /// Unpacked files may replace existing ones.
    replaces: bool,
    /// Members keep a leading `/` and `..`: they land wherever the archive says.
    is_absolute: bool,
    archive: Option<Text>,
    folder: Option<Text>,
    /// How many folders in front of each member are left out.
    n_stripped: usize,
    operands: Vec<Text>,
    /// The programs it runs: a compressor, an action at checkpoints.
    programs: Vec<Text>,
}

#[expect(clippy::unnecessary_wraps, reason = "all looks have one signature")]
pub(crate) fn tar(walker: &mut Walker<'_>, call: &Call, _: &Args<'_>) -> Option<Class> {
    let words = dashed(call.rest());
    let mut parsed = Parsed { replaces: true, ..Parsed::default() };
    for item in Options::new(&words, SPEC) {
        match item {
            Item::Operand(at) => parsed.operands.push(words[at].clone()),
            Item::Option(option) => parsed.note(option),
        }
    }
    for program in &parsed.programs {
        walker.through("tar", |walker| walker.text(&program.text, call.span, Origin::Text("tar".to_owned())));
    }
    let archive = parsed.archive.as_ref().filter(|archive| archive.text != "-");
    if parsed.mode == Mode::Unpack {
        let folder = parsed.folder.unwrap_or_else(|| Text::known("."));
        walker.write_path(&folder, call.span);
        walker.unpacks_download(archive, &folder);
        if parsed.is_absolute {
            walker.risk(RuleId::WriteOutside, "tar --absolute-names", call.span);
        }
        if parsed.replaces && !parsed.operands.iter().any(|member| !is_all(&member.text)) {
            walker.unpack_unnamed(&folder, call.span);
        }
        for member in &parsed.operands {
            let rest = member.text.splitn(parsed.n_stripped + 1, '/').last().unwrap_or(&member.text);
            walker.write_path(&below(&folder, rest, true), call.span);
        }
        if let Some(archive) = archive {
            walker.read_path(archive, call.span);
        }
        return Some(Class::Writes);
    }
    if parsed.mode == Mode::List {
        // `host:archive` is fetched by a remote shell.
        let is_remote = archive
            .is_some_and(|archive| archive.text.split_once(':').is_some_and(|(host, _)| !host.contains('/')))
            && !words.iter().any(|word| word.text == "--force-local");
        return Some(if is_remote { Class::Unknown } else { Class::ReadOnly });
    }
    if let Some(archive) = archive {
        walker.write_path(archive, call.span);
    }
    let mut taint = Taint::PRINTED;
    for source in &parsed.operands {
        let path = walker.resolve(source).0;
        taint = taint.with(walker.taint_of_tree(&path));
        walker.read_path(source, call.span);
        if parsed.removes {
            walker.delete_path(source, true, call.span);
        }
    }
    keep_taint(walker, parsed.archive.as_ref(), taint);
    Some(if archive.is_some() { Class::Writes } else { Class::ReadOnly })
}

impl Parsed {
    fn note(&mut self, option: Found<'_>) {
        if option.is("-x|--extract|--get") {
            self.mode = Mode::Unpack;
        } else if self.mode == Mode::List
            && option.is("-c|-r|-u|-A|--create|--append|--update|--catenate|--concatenate|--delete")
        {
            self.mode = Mode::Pack;
        }
        self.removes |= option.is("--remove-files");
        self.is_absolute |= option.is("-P|--absolute-names|--absolute-paths");
        let keeps = "-k|--keep-old-files|--skip-old-files|--one-top-level|-O|--to-stdout|--to-command";
        self.replaces &= !option.is(keeps);
        let runs = option.is(
            "-I|-F|--use-compress-program|--info-script|--new-volume-script|--to-command|--rsh-command|--rmt-command|--set-mtime-command",
        );
        let acts = option.is("--checkpoint-action");
        let (is_archive, is_folder) = (option.is("-f|--file"), option.is("-C|--directory"));
        let strips = option.is("--strip-components");
        let Some(value) = option.value else { return };
        if runs {
            self.programs.push(value);
        } else if acts {
            if value.text.starts_with("exec=") {
                self.programs.push(value.slice(5, value.text.len()));
            }
        } else if is_archive {
            self.archive = Some(value);
        } else if strips {
            self.n_stripped = value.text.parse().unwrap_or(0);
        } else if is_folder {
            // Each folder is relative to the one before.
            self.folder = Some(match self.folder.take() {
                Some(before) if !value.text.starts_with(['/', '~']) => below(&before, &value.text, false),
                _ => value,
            });
        }
    }
}

/// `tar xfC a.tar folder` as `tar -x -f a.tar -C folder`: the values of old letters stand behind all of them.
fn dashed(words: &[Text]) -> Vec<Text> {
    let Some((first, rest)) = words.split_first() else { return Vec::new() };
    let is_old = !first.text.starts_with('-') && first.text.bytes().all(|byte| byte.is_ascii_alphabetic());
    if !is_old {
        return words.to_vec();
    }
    let mut rest = rest.iter();
    let mut dashed = Vec::new();
    for letter in first.text.chars() {
        dashed.push(Text::known(format!("-{letter}")));
        if "fCTXIbFVgNKHL".contains(letter) {
            dashed.extend(rest.next().cloned());
        }
    }
    dashed.extend(rest.cloned());
    dashed
}

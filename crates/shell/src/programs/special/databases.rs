//! Database clients: the statements they are given.

use super::sql::{Statement, worst};
use crate::limits::MAX_SCRIPT_BYTES;
use crate::programs::Args;
use crate::reading::{Class, Doubt, Origin};
use crate::text::Text;
use crate::walk::{Call, Walker};

/// Options whose value is SQL.
const SQL: &str = "-c|--command|-e|--execute|-q|-Q|--query|-cmd|-execute";

/// The rule that looks at the worst of these statements, or nothing.
pub(crate) fn rule_of_statement(text: &str, is_file: bool) -> &'static str {
    rule_of(worst(text), is_file)
}

const fn rule_of(found: Statement, is_file: bool) -> &'static str {
    match found {
        Statement::Looks | Statement::Changes => "",
        _ if is_file => "database-file",
        Statement::DropsColumn => "database-alter",
        Statement::DeletesRows => "database-delete",
        Statement::Drops | Statement::DropsDatabase => "database-drop",
    }
}

pub(crate) fn sql(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if call.name == "bq" && args.word(0) != "query" {
        return None;
    }
    let mut given: Vec<Text> = args.values(SQL).into_iter().cloned().collect();
    match call.name.as_str() {
        "sqlite3" | "sqlite" | "duckdb" => {
            if let Some(database) = args.operands.first() {
                walker.read_path(database, call.span);
            }
            given.extend(args.operands.iter().skip(1).map(|operand| (*operand).clone()));
        }
        "bq" => given.extend(args.operands.iter().skip(1).map(|operand| (*operand).clone())),
        "cypher-shell" => given.extend(args.operands.iter().map(|operand| (*operand).clone())),
        _ => {}
    }
    let files: Vec<Text> = args.values("-f|--file|-i").into_iter().cloned().collect();
    for file in files {
        walker.read_path(&file, call.span);
        let path = walker.resolve(&file).0;
        let content = walker.content_of(&file).or_else(|| {
            let bytes = walker.place.files.read(&path, MAX_SCRIPT_BYTES)?;
            Some(Text::known(String::from_utf8_lossy(&bytes).into_owned()))
        });
        given.extend(content);
    }
    if given.is_empty()
        && let Some(input) = walker.stdin().cloned()
    {
        given.push(input);
    }
    if given.is_empty() {
        return None;
    }
    let mut class = Class::ReadOnly;
    for text in &given {
        if let Some(shell) = text
            .text
            .trim()
            .strip_prefix("\\!")
            .or_else(|| text.text.trim().strip_prefix(".shell"))
            .or_else(|| text.text.trim().strip_prefix(".system"))
        {
            let shell = shell.to_owned();
            walker.through(&call.name, |walker| {
                walker.text(&shell, call.span, Origin::Text(call.name.clone()))
            });
        }
        let found = worst(&text.text);
        let local_file = matches!(call.name.as_str(), "sqlite3" | "sqlite" | "duckdb");
        let rule = if local_file && args.word(0) == ":memory:" { "" } else { rule_of(found, local_file) };
        if !rule.is_empty() {
            walker.risk(rule, text.text.chars().take(80).collect::<String>(), call.span);
        }
        class = class.max(match found {
            Statement::Looks if text.is_known() => Class::ReadOnly,
            Statement::Looks => Class::Unknown,
            Statement::Changes => Class::Writes,
            _ => Class::Destructive,
        });
    }
    if class != Class::ReadOnly {
        walker.doubt(Doubt::Effects, call.name.clone(), call.span);
    }
    Some(class)
}

pub(crate) fn mongo(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let mut given: Vec<Text> = args.values("--eval").into_iter().cloned().collect();
    if given.is_empty() {
        given.extend(walker.stdin().cloned());
    }
    for text in given {
        let squeezed: String = text.text.chars().filter(|character| !character.is_whitespace()).collect();
        if squeezed.contains("dropDatabase(")
            || squeezed.contains(".drop()")
            || squeezed.contains("dropAllUsers")
            || squeezed.contains("dropCollection")
        {
            walker.risk("database-drop", text.text.chars().take(80).collect::<String>(), call.span);
        } else if squeezed.contains("deleteMany({})") || squeezed.contains("remove({})") {
            walker.risk("database-delete", text.text.chars().take(80).collect::<String>(), call.span);
        }
    }
    None
}

pub(crate) fn redis(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let mut lines: Vec<String> = vec![args.words().collect::<Vec<_>>().join(" ")];
    if args.operands.is_empty() {
        match walker.stdin() {
            Some(input) => lines = input.text.lines().map(str::to_owned).collect(),
            None => return None,
        }
    }
    let mut class = Class::ReadOnly;
    for line in lines {
        let upper = line.to_ascii_uppercase();
        let verb = upper.split_whitespace().next().unwrap_or("");
        match verb {
            "FLUSHALL" | "FLUSHDB" | "SHUTDOWN" => {
                walker.risk("database-drop", line.clone(), call.span);
                class = Class::Destructive;
            }
            "GET" | "MGET" | "KEYS" | "SCAN" | "PING" | "INFO" | "TTL" | "TYPE" | "EXISTS" | "LRANGE"
            | "LLEN" | "SMEMBERS" | "HGET" | "HGETALL" | "ZRANGE" | "DBSIZE" | "MONITOR" | "XLEN"
            | "XRANGE" | "STRLEN" | "" => {}
            "CONFIG" if upper.contains("SET") => {
                walker.risk("service-change", line.clone(), call.span);
                class = class.max(Class::Writes);
            }
            _ => class = class.max(Class::Writes),
        }
    }
    Some(class)
}

pub(crate) fn pg_restore(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("--clean|-c|--drop") {
        walker.risk("database-reset", call.name.clone(), call.span);
    }
    args.has("-l|--list").then_some(Class::ReadOnly)
}

pub(crate) fn kafka(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("--delete") {
        walker.risk("database-drop", "a topic", call.span);
        return Some(Class::Destructive);
    }
    args.has("--list|--describe").then_some(Class::ReadOnly)
}

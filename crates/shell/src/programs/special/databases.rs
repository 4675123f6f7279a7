//! Database clients: the statements they are given.

use super::sql::{Statement, worst};
use super::sql_files;
use crate::guard::RuleId;
use crate::limits::MAX_SCRIPT_BYTES;
use crate::programs::Args;
use crate::programs::options::Spec;
use crate::reading::{Class, Doubt, Origin};
use crate::text::Text;
use crate::walk::{Call, Walker};

/// Options whose value is SQL.
const SQL: &str = "-c|--command|-e|--execute|-q|-Q|--query|-cmd|-execute";

/// The rule that judges the worst of these statements, or nothing.
pub(crate) fn rule_of_statement(text: &str, is_file: bool) -> Option<RuleId> {
    rule_of(worst(text), is_file)
}

const fn rule_of(found: Statement, is_file: bool) -> Option<RuleId> {
    Some(match found {
        Statement::Looks | Statement::Changes => return None,
        _ if is_file => RuleId::DatabaseFile,
        Statement::Grants => RuleId::DatabaseAccess,
        Statement::DropsColumn => RuleId::DatabaseAlter,
        Statement::DeletesRows => RuleId::DatabaseDelete,
        Statement::Drops | Statement::DropsDatabase => RuleId::DatabaseDrop,
    })
}

/// Reads a local database, which duckdb makes if it is not there.
fn open_file(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>, database: &Text) {
    if call.name == "duckdb" && !args.has("-readonly") && database.text != ":memory:" {
        walker.write_path(database, call.span);
    } else {
        walker.read_path(database, call.span);
    }
}

pub(crate) fn sql(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let glued;
    // The value of `-p` may be left out, and is glued on: `-psecret`.
    let args = if matches!(call.name.as_str(), "mysql" | "mariadb") {
        let values = "-e -u -h -P -D -S --execute --user --host --port --database --socket --protocol";
        let spec = Spec { values, optional: "-p --password", is_partial: true, ..Spec::default() };
        glued = Args::read(call.rest(), spec, false);
        &glued
    } else {
        args
    };
    if call.name == "bq" && args.word(0) != "query" {
        return None;
    }
    let mut given: Vec<Text> = args.values(SQL).into_iter().cloned().collect();
    let local_file = sql_files::is_in_process(&call.name);
    match call.name.as_str() {
        _ if local_file => {
            if let Some(database) = args.operands.first() {
                open_file(walker, call, args, database);
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
    let mut changes_database = false;
    for text in &given {
        for program in programs_of(&text.text) {
            walker.through(&call.name, |walker| {
                walker.text(&program, call.span, Origin::Text(call.name.clone()))
            });
        }
        if let Some(shell) = text
            .text
            .trim()
            .strip_prefix("\\!")
            .or_else(|| text.text.trim().strip_prefix(".shell"))
            .or_else(|| text.text.trim().strip_prefix(".system"))
            .or_else(|| {
                text.text
                    .trim()
                    .strip_prefix("system ")
                    .filter(|_| matches!(call.name.as_str(), "mysql" | "mariadb"))
            })
        {
            let shell = shell.to_owned();
            walker.through(&call.name, |walker| {
                walker.text(&shell, call.span, Origin::Text(call.name.clone()))
            });
        }
        sql_files::touch_written(walker, call, &text.text);
        let found = match worst(&text.text) {
            Statement::DropsDatabase if is_here(args) && drops_only_test_databases(&text.text) => {
                Statement::Changes
            }
            other => other,
        };
        changes_database |= !(text.is_known() && sql_files::only_writes_elsewhere(&text.text, found));
        let rule = if local_file && args.word(0) == ":memory:" { None } else { rule_of(found, local_file) };
        if let Some(rule) = rule {
            walker.risk(rule, text.text.chars().take(80).collect::<String>(), call.span);
        }
        class = class.max(match found {
            Statement::Looks if text.is_known() => Class::ReadOnly,
            Statement::Looks => Class::Unknown,
            Statement::Changes | Statement::Grants => Class::Writes,
            _ => Class::Destructive,
        });
    }
    if class != Class::ReadOnly {
        walker.doubt(Doubt::Effects, call.name.clone(), call.span);
        if local_file
            && changes_database
            && sql_files::may_write(args)
            && let Some(database) = args.operands.first()
        {
            walker.write_path(database, call.span);
        }
    }
    Some(class)
}

/// The commands of `COPY … TO PROGRAM 'command'` and `COPY … FROM PROGRAM 'command'`, which the server runs.
fn programs_of(sql: &str) -> Vec<String> {
    let lower = sql.to_ascii_lowercase();
    let mut found = Vec::new();
    for (at, word) in lower.match_indices("program").take(16) {
        let rest = sql[at + word.len()..].trim_start();
        if let Some(text) = rest.strip_prefix('\'').and_then(|rest| rest.split('\'').next()) {
            found.push(text.to_owned());
        }
    }
    found
}

/// Returns whether every dropped database belongs to tests.
fn drops_only_test_databases(sql: &str) -> bool {
    let lower = sql.to_ascii_lowercase();
    let words: Vec<&str> =
        lower.split([' ', '\n', '\t', ';', '"', '`', '\'']).filter(|it| !it.is_empty()).collect();
    let mut names = words.windows(2).enumerate().filter(|(_, pair)| pair[0] == "drop").map(|(at, pair)| {
        let behind = words.get(at + 2..).unwrap_or(&[]);
        let behind = behind.strip_prefix(&["if", "exists"]).unwrap_or(behind);
        if pair[1] == "database" { behind.first().copied().unwrap_or("") } else { "" }
    });
    names.all(is_for_tests)
}

/// `dropdb`: the next test run recreates a test database on this machine.
pub(crate) fn dropdb(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let name = args.word(0);
    if !is_here(args) || !is_for_tests(name) || args.operands.iter().any(|name| !name.is_known()) {
        walker.risk(RuleId::DatabaseDrop, name, call.span);
    }
    None
}

/// Returns whether the server is on this machine, as far as the words say.
fn is_here(args: &Args<'_>) -> bool {
    let is_local = |host: &&Text| host.text.starts_with('/') || crate::network::is_local_host(&host.text);
    args.values("-h|--host").iter().all(is_local) && !args.words().any(|word| word.contains("://"))
}

/// Returns whether a part of a database's name says that tests own it: `app_test`, `test-7`, `ci.e2e`.
fn is_for_tests(name: &str) -> bool {
    let part = |part: &str| {
        let word = part.trim_end_matches(|letter: char| letter.is_ascii_digit());
        matches!(
            word,
            "test" | "tests" | "testing" | "testdb" | "e2e" | "scratch" | "sandbox" | "tmp" | "temp"
        )
    };
    name.to_ascii_lowercase().split(['_', '-', '.']).any(part)
}

pub(crate) fn mongo(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let mut given: Vec<Text> = args.values("--eval").into_iter().cloned().collect();
    let runs_file = args.words().any(|word| word.ends_with(".js") || word.ends_with(".mjs"));
    let only_reads = !given.is_empty()
        && !runs_file
        && given.iter().all(|text| text.is_known() && only_queries(&text.text));
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
            walker.risk(RuleId::DatabaseDrop, text.text.chars().take(80).collect::<String>(), call.span);
        } else if squeezed.contains("deleteMany({})") || squeezed.contains("remove({})") {
            walker.risk(RuleId::DatabaseDelete, text.text.chars().take(80).collect::<String>(), call.span);
        }
    }
    only_reads.then_some(Class::ReadOnly)
}

/// Methods of the mongo shell that only read.
const MONGO_READS: [&str; 52] = [
    "find",
    "findOne",
    "countDocuments",
    "estimatedDocumentCount",
    "count",
    "distinct",
    "stats",
    "dataSize",
    "totalSize",
    "storageSize",
    "getCollectionNames",
    "getCollectionInfos",
    "getCollection",
    "getSiblingDB",
    "getIndexes",
    "explain",
    "limit",
    "sort",
    "skip",
    "pretty",
    "toArray",
    "printjson",
    "print",
    "tojson",
    "version",
    "serverStatus",
    "hostInfo",
    "serverBuildInfo",
    "getName",
    "getMongo",
    "getDBNames",
    "getUsers",
    "getRoles",
    "isMaster",
    "hello",
    "currentOp",
    "status",
    "conf",
    "printReplicationInfo",
    "validate",
    "ObjectId",
    "ISODate",
    "NumberLong",
    "hasNext",
    "next",
    "itcount",
    "size",
    "aggregate",
    "getDB",
    "getUser",
    "getRole",
    "help",
];

/// Returns whether a script of the mongo shell calls nothing but methods that read.
fn only_queries(script: &str) -> bool {
    const MARKS: [&str; 9] = ["=", "function", "`", "$out", "$merge", "$where", ")(", "](", "new "];
    if MARKS.iter().any(|mark| script.contains(mark)) {
        return false;
    }
    script.match_indices('(').all(|(at, _)| {
        let front = script[..at].trim_end();
        let name = front
            .rsplit(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
            .next()
            .unwrap_or("");
        name.is_empty() || MONGO_READS.contains(&name)
    })
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
            "EVAL" if upper.contains("FLUSHALL") || upper.contains("FLUSHDB") => {
                walker.risk(RuleId::DatabaseDrop, line.clone(), call.span);
                class = Class::Destructive;
            }
            "FLUSHALL" | "FLUSHDB" | "SHUTDOWN" => {
                walker.risk(RuleId::DatabaseDrop, line.clone(), call.span);
                class = Class::Destructive;
            }
            "GET" | "MGET" | "KEYS" | "SCAN" | "PING" | "INFO" | "TTL" | "TYPE" | "EXISTS" | "LRANGE"
            | "LLEN" | "SMEMBERS" | "HGET" | "HGETALL" | "ZRANGE" | "DBSIZE" | "MONITOR" | "XLEN"
            | "XRANGE" | "STRLEN" | "HKEYS" | "HLEN" | "HVALS" | "HMGET" | "HEXISTS" | "SCARD"
            | "SISMEMBER" | "SMISMEMBER" | "SUNION" | "SINTER" | "SDIFF" | "ZCARD" | "ZSCORE" | "ZRANK"
            | "ZREVRANK" | "ZCOUNT" | "ZRANGEBYSCORE" | "ZREVRANGE" | "ZREVRANGEBYSCORE" | "LINDEX"
            | "LPOS" | "GETRANGE" | "GETBIT" | "BITCOUNT" | "PTTL" | "EXPIRETIME" | "RANDOMKEY"
            | "LASTSAVE" | "TIME" | "ROLE" | "ECHO" | "COMMAND" | "XREVRANGE" | "XINFO" | "XPENDING"
            | "PFCOUNT" | "GEOPOS" | "GEODIST" | "HSCAN" | "SSCAN" | "ZSCAN" | "OBJECT" | "SUBSCRIBE"
            | "PSUBSCRIBE" | "PUBSUB" | "LOLWUT" | "" => {}
            // Commands of which only some subcommands change something.
            "CLIENT" | "CONFIG" | "MEMORY" | "SLOWLOG" | "ACL" | "CLUSTER" | "MODULE" | "LATENCY"
            | "SCRIPT" | "FUNCTION"
                if matches!(
                    upper.split_whitespace().nth(1),
                    Some(
                        "GET"
                            | "LIST"
                            | "INFO"
                            | "USAGE"
                            | "STATS"
                            | "DOCTOR"
                            | "WHOAMI"
                            | "GETUSER"
                            | "NODES"
                            | "SLOTS"
                            | "SHARDS"
                            | "ID"
                            | "GETNAME"
                            | "LEN"
                            | "HISTORY"
                            | "LATEST"
                            | "EXISTS"
                            | "CAT"
                            | "USERS"
                            | "HELP"
                            | "MYID"
                            | "KEYSLOT"
                            | "COUNTKEYSINSLOT"
                            | "MALLOC-STATS"
                    )
                ) => {}
            // Keys that only the running line knows: `redis-cli KEYS '*' | xargs redis-cli DEL`.
            "DEL" | "UNLINK" if args.operands.iter().any(|key| !key.is_known()) => {
                walker.risk(RuleId::DatabaseDelete, line.clone(), call.span);
                class = Class::Destructive;
            }
            // A server that copies another one loses its own keys; a module is code.
            "SLAVEOF" | "REPLICAOF" if !upper.ends_with("NO ONE") => {
                walker.risk(RuleId::DatabaseReset, line.clone(), call.span);
                class = Class::Destructive;
            }
            "CONFIG" | "MODULE" if upper.contains("SET") || upper.contains("LOAD") => {
                walker.risk(RuleId::ServiceChange, line.clone(), call.span);
                class = class.max(Class::Writes);
            }
            _ => class = class.max(Class::Writes),
        }
    }
    Some(class)
}

pub(crate) fn pg_restore(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("--clean|-c|--drop") {
        walker.risk(RuleId::DatabaseReset, call.name.clone(), call.span);
    }
    args.has("-l|--list").then_some(Class::ReadOnly)
}

pub(crate) fn kafka(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("--delete") {
        walker.risk(RuleId::DatabaseDrop, "a topic", call.span);
        return Some(Class::Destructive);
    }
    args.has("--list|--describe").then_some(Class::ReadOnly)
}

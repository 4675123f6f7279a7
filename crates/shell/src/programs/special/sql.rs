//! SQL: which statements only look, which throw data away.

/// The worst a piece of SQL does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Statement {
    Looks,
    Changes,
    /// Who may do what, or a file of the server.
    Grants,
    /// A column with its content.
    DropsColumn,
    /// Rows of a table, all of them.
    DeletesRows,
    /// A table, a column, an index.
    Drops,
    /// A database or a schema.
    DropsDatabase,
}

/// Returns the worst statement of `sql`.
pub(super) fn worst(sql: &str) -> Statement {
    let plain = without_comments(sql).to_ascii_uppercase();
    statements(&plain).iter().map(|statement| judge(statement)).max().unwrap_or(Statement::Looks)
}

fn judge(statement: &str) -> Statement {
    let words: Vec<&str> = statement
        .split(|character: char| character.is_whitespace() || "(),\"`".contains(character))
        .filter(|word| !word.is_empty())
        .collect();
    let first = words.first().copied().unwrap_or("");
    let second = words.get(1).copied().unwrap_or("");
    match first {
        "DROP" => match second {
            "DATABASE" | "SCHEMA" | "KEYSPACE" | "OWNED" => Statement::DropsDatabase,
            "TABLE" | "VIEW" | "MATERIALIZED" | "COLLECTION" | "USER" | "ROLE" | "TYPE" | "SEQUENCE"
            | "TABLESPACE" => Statement::Drops,
            _ => Statement::Changes,
        },
        "TRUNCATE" => Statement::DeletesRows,
        _ if gives_access(&words) => Statement::Grants,
        "DELETE" | "UPDATE" if !has_condition(&words) => Statement::DeletesRows,
        "ALTER" if words.windows(2).any(|pair| pair == ["DROP", "COLUMN"]) => Statement::DropsColumn,
        "MATCH"
            if words.iter().any(|word| *word == "DETACH" || *word == "DELETE")
                && !statement.contains('{')
                && !words.contains(&"WHERE") =>
        {
            Statement::DeletesRows
        }
        "EXPLAIN" if words.contains(&"ANALYZE") || words.contains(&"ANALYSE") => {
            let verbs =
                ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "VALUES", "TABLE", "CREATE", "MERGE"];
            match verbs.iter().filter_map(|verb| statement.find(verb)).min() {
                Some(at) => judge(&statement[at..]),
                None => Statement::Changes,
            }
        }
        "SET" if words.iter().any(|word| word.contains("GLOBAL") || word.contains("PERSIST")) => {
            Statement::Changes
        }
        "SELECT" | "VALUES" | "WITH" | "TABLE" if !calls_only_pure_functions(statement) => Statement::Changes,
        // `SELECT 1 \\g file` writes the file, `\\gexec` runs the result.
        _ if !first.starts_with('\\') && words.iter().any(|word| word.starts_with("\\G")) => {
            Statement::Changes
        }
        "" | "SELECT" | "SHOW" | "EXPLAIN" | "DESCRIBE" | "DESC" | "USE" | "VALUES" | "TABLE" | "HELP"
        | "SET" | "LIST" | "MATCH" | "RETURN" => {
            let changes = match first {
                "SELECT" => words.contains(&"INTO") || locks_rows(&words),
                "MATCH" | "RETURN" => words.iter().any(|word| GRAPH_CHANGES.contains(word)),
                _ => false,
            };
            if changes { Statement::Changes } else { Statement::Looks }
        }
        "PRAGMA" => {
            if statement.contains('=') || is_setting_pragma(statement) {
                Statement::Changes
            } else {
                Statement::Looks
            }
        }
        "WITH" => {
            let changes =
                words.iter().any(|word| matches!(*word, "INSERT" | "UPDATE" | "DELETE" | "MERGE" | "INTO"));
            if changes { Statement::Changes } else { Statement::Looks }
        }
        other if other.starts_with('\\') || other.starts_with('.') => {
            if other.starts_with("\\D") || LOOKING.contains(&other) {
                Statement::Looks
            } else {
                Statement::Changes
            }
        }
        _ => Statement::Changes,
    }
}

/// Returns whether a statement changes the password or the rights of an existing account, makes one that may do
/// everything, opens one to every host, or writes a file on the server.
///
/// WHY not every `CREATE USER` and `GRANT`: setting up a project's own database begins with them.
fn gives_access(words: &[&str]) -> bool {
    let has = |word: &str| words.contains(&word);
    let is_account = matches!(words.get(1), Some(&("USER" | "ROLE" | "LOGIN" | "GROUP")));
    match words.first().copied().unwrap_or("") {
        "ALTER" if is_account => true,
        "CREATE" if is_account => {
            has("SUPERUSER") || has("SYSADMIN") || words.iter().any(|word| word.ends_with("@'%'"))
        }
        "GRANT" => {
            has("*.*")
                || has("ADMIN")
                || has("SUPERUSER")
                || has("DBA")
                || words.iter().any(|word| word.ends_with("@'%'") || word.starts_with("PG_"))
        }
        "SET" => has("PASSWORD"),
        // A program on the server, or a language that reaches its system.
        "COPY" => has("PROGRAM"),
        "DO" | "CREATE" => words.iter().any(|word| {
            matches!(
                word.trim_end_matches(';'),
                "PLPYTHONU" | "PLPYTHON2U" | "PLPYTHON3U" | "PLPERLU" | "PLTCLU" | "PLSHU" | "PLSH"
            )
        }),
        _ => has("OUTFILE") || has("DUMPFILE"),
    }
}

/// Commands of the programs themselves that only show something, upper case.
const LOOKING: [&str; 40] = [
    ".TABLES",
    ".SCHEMA",
    ".FULLSCHEMA",
    ".HEADERS",
    ".HEADER",
    ".MODE",
    ".DUMP",
    ".INDEXES",
    ".INDICES",
    ".DATABASES",
    ".SHOW",
    ".HELP",
    ".STATS",
    ".TIMER",
    ".WIDTH",
    ".NULLVALUE",
    ".SEPARATOR",
    ".ECHO",
    ".EXPLAIN",
    ".EQP",
    ".DBINFO",
    ".LIMIT",
    ".SHA3SUM",
    ".VERSION",
    ".BAIL",
    ".CHANGES",
    ".PRINT",
    ".QUIT",
    ".EXIT",
    "\\L",
    "\\L+",
    "\\Z",
    "\\SF",
    "\\SV",
    "\\ENCODING",
    "\\Q",
    "\\X",
    "\\CONNINFO",
    "\\TIMING",
    "\\C",
];

/// Returns whether a pragma sets something by its argument, or works on the file: `pragma user_version(5)`.
fn is_setting_pragma(statement: &str) -> bool {
    const ASKS: [&str; 10] = [
        "TABLE_INFO",
        "TABLE_XINFO",
        "TABLE_LIST",
        "INDEX_LIST",
        "INDEX_INFO",
        "INDEX_XINFO",
        "FOREIGN_KEY_LIST",
        "FOREIGN_KEY_CHECK",
        "INTEGRITY_CHECK",
        "QUICK_CHECK",
    ];
    let statement = statement.trim().to_ascii_uppercase();
    let behind = statement.strip_prefix("PRAGMA").unwrap_or(&statement).trim_start();
    let name = behind.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_' && letter != '.');
    let name = name.into_iter().next().unwrap_or("");
    let name = name.rsplit('.').next().unwrap_or(name);
    matches!(name, "WAL_CHECKPOINT" | "OPTIMIZE" | "INCREMENTAL_VACUUM")
        || behind.contains('(') && !ASKS.contains(&name)
}

/// Functions that compute a value from their arguments and the tables, upper case.
const PURE: &str = "ABS ACOS AGE ANY ARRAY ARRAY_AGG ARRAY_LENGTH ARRAY_POSITION ARRAY_REMOVE ARRAY_TO_STRING ARRAY_UPPER ASCII ATAN AVG BIT_AND \
    BIT_LENGTH BIT_OR BOOL_AND BOOL_OR BTRIM CAST CEIL CEILING CHAR CHARINDEX CHAR_LENGTH CHR COALESCE COL_DESCRIPTION CONCAT \
    CONCAT_WS CONVERT COS COUNT COUNTIF CRC32 CUME_DIST CURDATE CURRENT_DATABASE CURRENT_DATE CURRENT_SCHEMA CURRENT_SCHEMAS CURRENT_SETTING \
    CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER CURTIME DATABASE DATE DATEADD DATEDIFF DATENAME DATEPART DATETIME DATE_ADD DATE_FORMAT \
    DATE_PART DATE_SUB DATE_TRUNC DAY DAYNAME DAYOFMONTH DAYOFWEEK DECODE DENSE_RANK ELT ENCODE EVERY EXISTS EXP EXTRACT FIELD FILTER \
    FIRST_VALUE FLOOR FORMAT FORMAT_TYPE FOUND_ROWS FROM_UNIXTIME GENERATE_SERIES GETDATE GLOB GREATEST GROUP_CONCAT GROUPING HAS_TABLE_PRIVILEGE \
    HEX HOUR IF IFNULL IIF IN INET_ATON INSTR INTERVAL ISNULL JSON JSONB_AGG JSONB_ARRAY_ELEMENTS JSONB_BUILD_OBJECT JSONB_EACH \
    JSONB_OBJECT_KEYS JSONB_PRETTY JSONB_TYPEOF JSON_AGG JSON_ARRAY JSON_ARRAY_ELEMENTS JSON_ARRAY_LENGTH JSON_BUILD_OBJECT JSON_EACH \
    JSON_EXTRACT JSON_GROUP_ARRAY JSON_KEYS JSON_LENGTH JSON_OBJECT JSON_TREE JSON_TYPE JSON_VALID JSON_VALUE JULIANDAY LAG LAST_VALUE LCASE \
    LEAD LEAST LEFT LEN LENGTH LIKE LN LOCATE LOG LOG10 LOWER LPAD LTRIM MAKE_DATE MAX MD5 MEDIAN MID MIN MINUTE MOD MODE MONTH MONTHNAME \
    NOT NOW NTH_VALUE NTILE NULLIF NUMERIC NVL OBJ_DESCRIPTION OCTET_LENGTH ON OR AND OVER OVERLAY PARTITION PERCENTILE_CONT PERCENTILE_DISC PERCENT_RANK \
    PG_CATALOG PG_COLUMN_SIZE PG_DATABASE_SIZE PG_GET_CONSTRAINTDEF PG_GET_EXPR PG_GET_FUNCTIONDEF PG_GET_INDEXDEF PG_GET_SERIAL_SEQUENCE \
    PG_GET_TRIGGERDEF PG_GET_USERBYID PG_GET_VIEWDEF PG_INDEXES_SIZE PG_IS_IN_RECOVERY PG_LAST_XACT_REPLAY_TIMESTAMP PG_POSTMASTER_START_TIME \
    PG_RELATION_SIZE PG_SIZE_PRETTY PG_SLEEP PG_TABLE_IS_VISIBLE PG_TABLE_SIZE PG_TOTAL_RELATION_SIZE PG_TYPEOF PI POSITION POW POWER PRINTF \
    QUARTER QUOTE QUOTE_IDENT QUOTE_LITERAL RADIANS RAND RANDOM RANGE RANK READ_CSV READ_CSV_AUTO READ_JSON READ_JSON_AUTO READ_PARQUET REGEXP REGEXP_MATCHES REGEXP_REPLACE \
    REGEXP_SPLIT_TO_TABLE REPEAT REPLACE REVERSE RIGHT ROUND ROW ROW_NUMBER ROW_TO_JSON RPAD RTRIM SCHEMA SECOND SHA1 SHA2 SIGN SIN SOUNDEX \
    SPLIT_PART SQRT SQLITE_VERSION STDDEV STRFTIME STRING_AGG STRING_SPLIT STRPOS STR_TO_DATE SUBSTR SUBSTRING SUBSTRING_INDEX SUM SYSDATE TABLE_NAME \
    TABLES TAN TIME TIMEDIFF TIMESTAMP TIMESTAMPDIFF TO_CHAR TO_DATE TO_JSON TO_JSONB TO_NUMBER TO_REGCLASS TO_TIMESTAMP TO_TSQUERY TO_TSVECTOR \
    TOTAL TRANSLATE TRIM TRUNC TXID_CURRENT TYPEOF UCASE UNHEX UNICODE UNION UNIQ UNIQUE UNIX_TIMESTAMP UNIXEPOCH UNNEST UPPER USER USING UUID VALUES VARCHAR \
    DECIMAL CHARACTER VARIANCE VERSION WEEK WHERE WITHIN GROUP WITH YEAR ZEROBLOB SELECT FROM AS JOIN ALL SOME BETWEEN WHEN THEN ELSE CASE HAVING BY SET INT LATERAL \
    EXCEPT INTERSECT DISTINCT RECURSIVE MATERIALIZED PRAGMA_TABLE_INFO PRAGMA_INDEX_LIST PRAGMA_INDEX_INFO PRAGMA_FOREIGN_KEY_LIST SERVERPROPERTY DB_NAME OBJECT_ID";

/// Returns whether every function of a statement is known to have no effect: `writefile`, `setval` and functions of
/// the database's own may do anything.
fn calls_only_pure_functions(statement: &str) -> bool {
    let bytes = statement.as_bytes();
    let mut quote = None;
    for (at, byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            (None, b'\'') => quote = Some(b'\''),
            (Some(open), close) if open == *close => quote = None,
            (None, b'(') => {
                let before = statement[..at].trim_end();
                let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let name = &before[before.trim_end_matches(is_name).len()..];
                let is_call = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
                let is_pure = PURE.split_ascii_whitespace().any(|pure| pure == name);
                if is_call && !is_pure {
                    return false;
                }
            }
            _ => {}
        }
    }
    true
}

/// Clauses of Cypher that change the graph, call procedures or fetch data.
const GRAPH_CHANGES: [&str; 7] = ["SET", "CREATE", "MERGE", "REMOVE", "DELETE", "FOREACH", "CALL"];

/// Returns whether a query holds rows for itself: `SELECT … FOR UPDATE`.
fn locks_rows(words: &[&str]) -> bool {
    words.windows(2).any(|pair| matches!(pair, ["FOR", "UPDATE" | "SHARE" | "NO" | "KEY"]))
}

/// A `WHERE` that is no tautology.
fn has_condition(words: &[&str]) -> bool {
    match words.iter().position(|word| *word == "WHERE") {
        Some(at) => !matches!(words.get(at + 1..), Some(["1=1" | "TRUE" | "1"] | ["1", "=", "1"])),
        None => words.contains(&"LIMIT") || words.contains(&"USING"),
    }
}

/// Splits at semicolons outside of quotes.
fn statements(sql: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut quote: Option<char> = None;
    for (at, character) in sql.char_indices() {
        match (quote, character) {
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), close) if open == close => quote = None,
            (None, ';') => {
                parts.push(sql[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(sql[start..].trim());
    parts
}

/// Removes `-- …` and `/* … */`; an executable `/*! … */` stays.
fn without_comments(sql: &str) -> String {
    let mut out = String::with_capacity(sql.len());
    let mut rest = sql;
    loop {
        let next = [rest.find("--"), rest.find("/*")].into_iter().flatten().min();
        let Some(at) = next else {
            out.push_str(rest);
            return out;
        };
        out.push_str(&rest[..at]);
        out.push(' ');
        rest = &rest[at..];
        let end = if rest.starts_with("--") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(live) = rest.strip_prefix("/*!") {
            out.push_str(
                live.split("*/")
                    .next()
                    .unwrap_or("")
                    .trim_start_matches(|character: char| character.is_ascii_digit()),
            );
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        };
        rest = &rest[end..];
    }
}

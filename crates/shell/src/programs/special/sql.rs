//! SQL: which statements only look, which throw data away.

/// The worst a piece of SQL does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Statement {
    Looks,
    Changes,
    /// A column with what is in it.
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
        "DELETE" | "UPDATE" if !has_condition(&words) => Statement::DeletesRows,
        "ALTER" if words.windows(2).any(|pair| pair == ["DROP", "COLUMN"]) => Statement::DropsColumn,
        "MATCH"
            if words.iter().any(|word| *word == "DETACH" || *word == "DELETE")
                && !statement.contains('{')
                && !words.contains(&"WHERE") =>
        {
            Statement::DeletesRows
        }
        "" | "SELECT" | "SHOW" | "EXPLAIN" | "DESCRIBE" | "DESC" | "USE" | "VALUES" | "TABLE" | "HELP"
        | "SET" | "LIST" | "MATCH" | "RETURN" => {
            if words.contains(&"INTO") && first == "SELECT" {
                Statement::Changes
            } else {
                Statement::Looks
            }
        }
        "PRAGMA" => {
            if statement.contains('=') {
                Statement::Changes
            } else {
                Statement::Looks
            }
        }
        "WITH" => {
            let changes = words.iter().any(|word| matches!(*word, "INSERT" | "UPDATE" | "DELETE"));
            if changes { Statement::Changes } else { Statement::Looks }
        }
        other if other.starts_with('\\') || other.starts_with('.') => {
            if matches!(
                other,
                ".TABLES" | ".SCHEMA" | ".HEADERS" | ".MODE" | ".DUMP" | ".INDEXES" | ".DATABASES"
            ) || other.starts_with("\\D")
                || matches!(other, "\\L" | "\\Q" | "\\X" | "\\CONNINFO" | "\\TIMING" | "\\C")
            {
                Statement::Looks
            } else {
                Statement::Changes
            }
        }
        _ => Statement::Changes,
    }
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

//! Searches runs in the index.
//!
//! INVARIANT: the search checks the text of every run that the trigrams find, so they may find too
//! many. It starts with the latest runs and stops at the limit.

use automation::ExecutionRecord;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params_from_iter};

use super::Query;
use super::index::{marker_of_hook, marker_of_status, searchable_text};

/// How many trigrams of a string are queried; more would hardly narrow the result.
const MAX_TRIGRAMS: usize = 12;
/// A short text that more trigrams than this start with is too common for a trigram query.
const MAX_PREFIXED: usize = 64;

/// Returns the matching runs, the latest first.
pub(super) fn find(database: &Connection, query: &Query) -> Result<Vec<ExecutionRecord>, rusqlite::Error> {
    let Some(filter) = Filter::new(database, query)? else { return Ok(Vec::new()) };
    let looked_for = query.grep.as_deref().filter(|grep| !grep.is_empty()).map(str::to_lowercase);
    let terms = match &looked_for {
        Some(text) => terms(database, text)?,
        None => Terms::Any,
    };
    let (sql, values) = match terms {
        Terms::None => return Ok(Vec::new()),
        Terms::Any => filter.over_all(),
        Terms::All(terms) => filter.over_matches(&terms),
    };
    let mut statement = database.prepare(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut found = Vec::new();
    while found.len() < query.limit
        && let Some(row) = rows.next()?
    {
        let Ok(record) = serde_json::from_str(row.get_ref(0)?.as_str()?) else { continue };
        if looked_for.as_ref().is_none_or(|text| has_text(&record, text)) {
            found.push(record);
        }
    }
    Ok(found)
}

/// Returns whether the searchable text of a run contains a lower-case text.
pub(super) fn has_text(record: &ExecutionRecord, text: &str) -> bool {
    searchable_text(record).to_lowercase().contains(text)
}

/// The conditions of a query except the text.
struct Filter {
    hook: Option<i64>,
    status: Option<String>,
    /// The earliest end, and the number of the first run that ended then or later.
    since: Option<(String, i64)>,
}

impl Filter {
    /// Makes the filter. Returns `None` if no run can match.
    fn new(database: &Connection, query: &Query) -> Result<Option<Self>, rusqlite::Error> {
        let hook = match &query.hook {
            None => None,
            Some(id) => {
                let number =
                    database.query_row("SELECT number FROM hooks WHERE id = ?", [id], |row| row.get(0));
                let Some(number) = number.optional()? else { return Ok(None) };
                Some(number)
            }
        };
        let since = match query.since {
            None => None,
            Some(since) => {
                let since = since.to_string();
                // The `+` makes SQLite use the index `by_end`; without it, it scans all runs.
                let sql = "SELECT min(+number) FROM runs WHERE ended >= ?";
                let first: Option<i64> = database.query_row(sql, [&since], |row| row.get(0))?;
                let Some(first) = first else { return Ok(None) };
                Some((since, first))
            }
        };
        Ok(Some(Self { hook, status: query.status.clone(), since }))
    }

    /// Returns the statement over all runs.
    fn over_all(self) -> (String, Vec<Value>) {
        let mut sql = String::from("SELECT record FROM runs WHERE 1");
        let mut values = Vec::new();
        self.narrow(&mut sql, &mut values);
        sql.push_str(" ORDER BY number DESC");
        (sql, values)
    }

    /// Returns the statement over the runs with these trigrams.
    fn over_matches(self, terms: &str) -> (String, Vec<Value>) {
        let mut asked = terms.to_owned();
        let signs = [self.hook.map(marker_of_hook), self.status.as_deref().map(marker_of_status)];
        for sign in signs.into_iter().flatten() {
            asked = format!("\"{sign}\" AND {asked}");
        }
        let mut sql = String::from(
            "SELECT record FROM words CROSS JOIN runs ON runs.number = words.rowid WHERE words MATCH ?",
        );
        let mut values = vec![Value::from(asked)];
        if let Some((_, first)) = &self.since {
            sql.push_str(" AND words.rowid >= ?");
            values.push((*first).into());
        }
        self.narrow(&mut sql, &mut values);
        sql.push_str(" ORDER BY words.rowid DESC");
        (sql, values)
    }

    fn narrow(self, sql: &mut String, values: &mut Vec<Value>) {
        if let Some(hook) = self.hook {
            sql.push_str(" AND runs.hook = ?");
            values.push(hook.into());
        }
        if let Some(status) = self.status {
            sql.push_str(" AND runs.status = ?");
            values.push(status.into());
        }
        if let Some((since, first)) = self.since {
            // The `+` keeps SQLite from using the index `by_end`, which would need another sort.
            sql.push_str(" AND runs.number >= ? AND +runs.ended >= ?");
            values.extend([first.into(), since.into()]);
        }
    }
}

/// The trigram query for a string.
enum Terms {
    /// No run has the text.
    None,
    /// The trigrams cannot narrow the search; it must check every run.
    Any,
    /// Only runs that match this expression can have the text.
    All(String),
}

fn terms(database: &Connection, text: &str) -> Result<Terms, rusqlite::Error> {
    if text.chars().count() < 3 {
        return terms_with_prefix(database, text);
    }
    Ok(Terms::All(trigrams(text)))
}

/// Returns the trigram query for a text of at least three characters.
pub(super) fn trigrams(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let n_trigrams = letters.len().saturating_sub(2);
    let n_asked = n_trigrams.min(MAX_TRIGRAMS);
    // Spread evenly over the text, including the first and the last.
    let place = |n: usize| if n_asked == 1 { 0 } else { n * (n_trigrams - 1) / (n_asked - 1) };
    let asked: Vec<String> =
        (0..n_asked).map(|n| quoted(&letters[place(n)..place(n) + 3].iter().collect::<String>())).collect();
    asked.join(" AND ")
}

/// Finds a string of one or two characters by the trigrams that start with it.
fn terms_with_prefix(database: &Connection, text: &str) -> Result<Terms, rusqlite::Error> {
    let mut next = database.prepare("SELECT term FROM terms WHERE term > ? ORDER BY term LIMIT 1")?;
    let mut asked: Vec<String> = Vec::new();
    let mut last = text.to_owned();
    while let Some(term) = next.query_row([&last], |row| row.get::<_, String>(0)).optional()? {
        if !term.starts_with(text) {
            break;
        }
        if asked.len() == MAX_PREFIXED {
            return Ok(Terms::Any);
        }
        asked.push(quoted(&term));
        last = term;
    }
    if asked.is_empty() { Ok(Terms::None) } else { Ok(Terms::All(format!("({})", asked.join(" OR ")))) }
}

fn quoted(term: &str) -> String {
    format!("\"{}\"", term.replace('"', "\"\""))
}

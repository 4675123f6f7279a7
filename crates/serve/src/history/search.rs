//! Finding runs in the index.
//!
//! INVARIANT: what the trigrams find is looked at before it counts, so they may find too much.
//! The latest runs are looked at first and the search ends with the last one that is wanted.

use automation::ExecutionRecord;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params_from_iter};

use super::Query;
use super::index::{sign_of_hook, sign_of_status, words};

/// How many trigrams of a text are looked for; more would hardly tell more.
const TRIGRAMS: usize = 12;
/// With more beginnings than this a short text is too common to be looked for by trigrams.
const BEGINNINGS: usize = 64;

/// Returns the runs that fit, the latest first.
pub(super) fn find(database: &Connection, query: &Query) -> Result<Vec<ExecutionRecord>, rusqlite::Error> {
    let Some(filter) = Filter::new(database, query)? else { return Ok(Vec::new()) };
    let looked_for = query.grep.as_deref().filter(|grep| !grep.is_empty()).map(str::to_lowercase);
    let terms = match &looked_for {
        Some(text) => terms(database, text)?,
        None => Terms::Any,
    };
    let (sql, values) = match terms {
        Terms::None => return Ok(Vec::new()),
        Terms::Any => filter.of_all(),
        Terms::All(terms) => filter.of_those_with(&terms),
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

/// Returns whether a text in small letters is in what is searched of a run.
pub(super) fn has_text(record: &ExecutionRecord, text: &str) -> bool {
    words(record).to_lowercase().contains(text)
}

/// Everything that is asked for but a text.
struct Filter {
    hook: Option<i64>,
    status: Option<String>,
    /// When it ended at the earliest, and the first run that did.
    since: Option<(String, i64)>,
}

impl Filter {
    /// Returns nothing if no run can fit.
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
                // The sign has the index of ends looked at; without it all runs are, the oldest first.
                let sql = "SELECT min(+number) FROM runs WHERE ended >= ?";
                let first: Option<i64> = database.query_row(sql, [&since], |row| row.get(0))?;
                let Some(first) = first else { return Ok(None) };
                Some((since, first))
            }
        };
        Ok(Some(Self { hook, status: query.status.clone(), since }))
    }

    /// Returns the statement that goes through all runs.
    fn of_all(self) -> (String, Vec<Value>) {
        let mut sql = String::from("SELECT record FROM runs WHERE 1");
        let mut values = Vec::new();
        self.narrow(&mut sql, &mut values);
        sql.push_str(" ORDER BY number DESC");
        (sql, values)
    }

    /// Returns the statement that goes through the runs with these trigrams.
    fn of_those_with(self, terms: &str) -> (String, Vec<Value>) {
        let mut asked = terms.to_owned();
        let signs = [self.hook.map(sign_of_hook), self.status.as_deref().map(sign_of_status)];
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
            // The sign keeps the index of ends out of it: it would have to be sorted again.
            sql.push_str(" AND runs.number >= ? AND +runs.ended >= ?");
            values.extend([first.into(), since.into()]);
        }
    }
}

/// How the trigrams can help.
enum Terms {
    /// No run has the text.
    None,
    /// They cannot: every run has to be looked at.
    Any,
    /// Only runs that fit this can have the text.
    All(String),
}

fn terms(database: &Connection, text: &str) -> Result<Terms, rusqlite::Error> {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() < 3 {
        return beginnings(database, text);
    }
    let n_trigrams = letters.len() - 2;
    let n_asked = n_trigrams.min(TRIGRAMS);
    // Spread over the whole of it, the first and the last among them.
    let place = |n: usize| if n_asked == 1 { 0 } else { n * (n_trigrams - 1) / (n_asked - 1) };
    let asked: Vec<String> =
        (0..n_asked).map(|n| quoted(&letters[place(n)..place(n) + 3].iter().collect::<String>())).collect();
    Ok(Terms::All(asked.join(" AND ")))
}

/// Finds a text of one or two letters by the trigrams that begin with it.
fn beginnings(database: &Connection, text: &str) -> Result<Terms, rusqlite::Error> {
    let mut next = database.prepare("SELECT term FROM terms WHERE term > ? ORDER BY term LIMIT 1")?;
    let mut asked: Vec<String> = Vec::new();
    let mut last = text.to_owned();
    while let Some(term) = next.query_row([&last], |row| row.get::<_, String>(0)).optional()? {
        if !term.starts_with(text) {
            break;
        }
        if asked.len() == BEGINNINGS {
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

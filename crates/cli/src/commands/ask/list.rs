//! Prints the asks that wait, once.

use super::Selection;
use crate::exit::Exit;
use crate::output;
use crate::output::table::{Cell, Column, Table};
use crate::output::text::one_line;

/// Prints a table, or JSON.
pub(super) fn print(selection: &Selection<'_>, json: bool) -> anyhow::Result<Exit> {
    let found = selection.open(&[])?;
    if json {
        output::json(&found.iter().map(|open| &open.ask).collect::<Vec<_>>())?;
        return Ok(Exit::Fine);
    }
    if found.is_empty() {
        output::note("no agent waits for your decision");
        return Ok(Exit::Fine);
    }
    let now = store::now().as_millis();
    let mut table = Table::new([
        Column::whole("ID"),
        Column::right("LEFT"),
        Column::left("HOST"),
        Column::left("TOOL"),
        Column::left("CALL"),
    ]);
    for open in &found {
        let ask = &open.ask;
        let left = format!("{} s", ask.until.saturating_sub(now) / 1000);
        let texts = [ask.id.to_string(), left, ask.host.clone(), one_line(&ask.tool), one_line(&ask.call)];
        table.push(texts.map(Cell::from));
    }
    for line in table.lines(output::columns()) {
        output::print(format_args!("{line}"));
    }
    Ok(Exit::Fine)
}

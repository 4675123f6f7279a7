//! Watches the MCP servers of others while `serve` runs: new and changed definitions, and changed tools.
//!
//! WHY its own thread: starting a server can take a minute, and the thread of `serve` must not wait.

use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};

use automation::Level;
use modules::shell_guard::DefinedServer;
use redact::Redacted;
use serve::Note;
use store::{McpPins, PinState};

use crate::commands::Place;
use crate::commands::mcp::pins;
use crate::commands::mcp::tool_changes::{Comparison, compare};

/// How often the files with definitions are read.
const INTERVAL: Duration = Duration::from_secs(2);
/// How often the tools of an accepted server are listed.
const TOOLS_INTERVAL: Duration = Duration::from_hours(1);
/// The time limit for a server: a first start may download a package.
const ANSWER_TIMEOUT: Duration = Duration::from_mins(1);

/// Starts to watch; `log` gets each finding once.
pub(super) fn start(place: Place, log: impl Fn(Note) + Send + 'static) {
    thread::spawn(move || {
        let mut watch = Watch { place, told: BTreeSet::new(), listed: None };
        loop {
            // First of all: a server that cannot start has nothing to report.
            thread::sleep(INTERVAL);
            for note in watch.findings() {
                log(note);
            }
        }
    });
}

struct Watch {
    place: Place,
    told: BTreeSet<String>,
    /// When the tools were last listed.
    listed: Option<Instant>,
}

impl Watch {
    /// Returns the changes that no earlier call returned.
    fn findings(&mut self) -> Vec<Note> {
        let Some(pins) = self.place.user_state.as_ref().and_then(|state| McpPins::load(state).ok()) else {
            return Vec::new();
        };
        let lists_tools = self.listed.is_none_or(|listed| listed.elapsed() >= TOOLS_INTERVAL);
        if lists_tools {
            self.listed = Some(Instant::now());
        }
        let mut texts = Vec::new();
        for server in pins::servers(&self.place) {
            match pins.state(&server.key, &server.definition) {
                PinState::New => texts.push(definition_text(&server, "is new")),
                PinState::Changed => texts.push(definition_text(&server, "has changed")),
                PinState::Accepted if lists_tools => texts.extend(self.tools_text(&server, &pins)),
                PinState::Accepted => {}
            }
        }
        let is_news = |text: &String| self.told.insert(text.clone());
        texts.into_iter().filter(is_news).map(|text| note(&text)).collect()
    }

    /// Returns a sentence if the tools of an accepted server changed.
    fn tools_text(&self, server: &DefinedServer, pins: &McpPins) -> Option<String> {
        let Comparison::Changed(_, changes) = compare(server, pins, &self.place, ANSWER_TIMEOUT) else {
            return None;
        };
        let names: Vec<String> = changes.iter().map(|change| format!("`{}`", change.name)).collect();
        Some(format!(
            "the MCP server `{}` changed its tools {}; run `steersman mcp pins` to read the changes",
            server.name,
            names.join(", ")
        ))
    }
}

fn definition_text(server: &DefinedServer, what: &str) -> String {
    format!(
        "the definition of the MCP server `{}` in {} {what}: {}; run `steersman mcp pins`",
        server.name, server.file, server.identity
    )
}

fn note(text: &str) -> Note {
    Note { level: Level::Warning, code: "MCP_PINS", message: Redacted::from_text(text) }
}

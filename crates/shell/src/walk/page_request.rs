//! Requests to the pages of `steersman serve`, where a person answers asks and approves scopes.
//!
//! The server itself refuses changes that an agent sends. This is the rule in front of it: an agent has nothing to do
//! there, and a denial with a reason ends the attempt. Other ports of this machine stay free.

use super::{Call, Walker};
use crate::guard::RuleId;
use crate::network;
use crate::programs;
use crate::reading::Span;
use crate::text::{Taint, Text};

/// Programs that open addresses and that no table marks as talking to a network.
const BROWSERS: [&str; 16] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "firefox",
    "brave",
    "brave-browser",
    "microsoft-edge",
    "safaridriver",
    "xdg-open",
    "open",
    "sensible-browser",
    "x-www-browser",
    "phantomjs",
    "wkhtmltopdf",
];

impl Walker<'_> {
    /// Records that `call` sends a request to a page of `serve`.
    pub(super) fn asks_page(&mut self, call: &Call) {
        if programs::find(&call.name).is_some_and(|program| !program.network)
            && !BROWSERS.contains(&call.name.as_str())
        {
            return;
        }
        // A word with a space is a message about the page, not its address.
        let words = call.rest().iter().filter(|word| !word.text.contains(char::is_whitespace));
        let mut mentions = Mentions::default();
        for word in words {
            mentions.add_word(word);
        }
        if programs::find(&call.name).is_some()
            && let Some(input) = &self.state.stdin
        {
            mentions.add(&input.text);
        }
        self.judge_mentions(&mentions, call.span);
    }

    /// Records that code of another language names a page of `serve`.
    pub(crate) fn code_asks_page(&mut self, code: &Text, span: Span) {
        let mut mentions = Mentions::default();
        mentions.add(&code.text);
        self.judge_mentions(&mentions, span);
    }

    /// Records that a redirection or an argument is a socket of a page, as `/dev/tcp/localhost/4717` is.
    pub(super) fn socket_of_page(&mut self, target: &Text, span: Span) {
        let mut mentions = Mentions::default();
        mentions.add_word(target);
        self.judge_mentions(&mentions, span);
    }

    /// Checks the commands of a line for `PowerShell` or cmd.
    pub(crate) fn windows_commands_ask_page(&mut self) {
        const ASK: [&str; 9] = [
            "invoke-webrequest",
            "invoke-restmethod",
            "iwr",
            "irm",
            "curl",
            "wget",
            "start-process",
            "start",
            "start-bitstransfer",
        ];
        let mut found = Vec::new();
        for command in &self.reading.commands {
            let name = command.program.to_ascii_lowercase();
            if !ASK.contains(&name.as_str()) && !BROWSERS.contains(&name.as_str()) {
                continue;
            }
            let mut mentions = Mentions::default();
            for arg in command.argv.iter().skip(1) {
                mentions.add(&arg.text);
            }
            found.push((mentions, command.span));
        }
        for (mentions, span) in found {
            self.judge_mentions(&mentions, span);
        }
    }

    fn judge_mentions(&mut self, mentions: &Mentions, span: Span) {
        // The files are asked last: an ordinary command costs a look at its words.
        if !mentions.is_local || mentions.ports.is_empty() && !mentions.is_computed || !self.is_local() {
            return;
        }
        let state = self.reading.user_state.clone();
        let pages = self.place.files.page_ports(&self.reading.workspace, state.as_deref());
        let named = pages.iter().find(|port| mentions.names(**port));
        let port = if mentions.is_computed { named.or(pages.first()) } else { named };
        if let Some(port) = port {
            self.risk(RuleId::OwnPage, format!("localhost:{port}"), span);
        }
    }
}

/// The hosts and numbers in the words of one request.
#[derive(Debug, Default)]
struct Mentions {
    /// Whether a word names this machine, or a host that is not known.
    is_local: bool,
    /// The numbers that may be ports, as ranges.
    ports: Vec<(u16, u16)>,
    /// Whether the port behind this machine's name is printed by a command, or is a pattern of curl.
    is_computed: bool,
}

impl Mentions {
    fn names(&self, port: u16) -> bool {
        self.ports.iter().any(|(first, last)| (*first..=*last).contains(&port))
    }

    fn add_word(&mut self, word: &Text) {
        self.add(&word.text);
        if !word.is_known() {
            // `http://$HOST:4717/`
            self.is_local = true;
        }
        let rest = word.text.split_once("://").map_or(word.text.as_str(), |(_, rest)| rest);
        let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !word.text.starts_with('-') => (host, port),
            _ => return,
        };
        if network::is_local_host(host) && !host.is_empty() {
            let is_pattern = word.text.contains("://") && port.contains(['[', '{']);
            self.is_computed |= is_pattern || port.contains('$') && word.taint.has(Taint::PRINTED);
        }
    }

    fn add(&mut self, text: &str) {
        self.is_local |= text.contains("[::") || text.contains("::1") || text.contains("0:0:0:0");
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-');
        for token in text.split(|letter| !is_part(letter)).filter(|token| !token.is_empty()) {
            if let Some(range) = port_range(token) {
                self.ports.push(range);
            }
            self.is_local |= network::is_loopback(token);
        }
    }
}

/// `4717`, `4000-5000`.
fn port_range(token: &str) -> Option<(u16, u16)> {
    if let Ok(port) = token.parse() {
        return Some((port, port));
    }
    let (first, last) = token.split_once('-')?;
    Some((first.parse().ok()?, last.parse().ok()?))
}

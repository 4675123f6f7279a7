//! Parses the output of an agent program while it runs: JSON lines, one JSON object, or text.
//!
//! The formats are those of `claude -p --output-format stream-json`, `codex exec --json` and
//! `gemini --output-format json`. Unknown lines are ignored: a newer program may print more.

use agent::ProviderName;
use host::AgentCli;
use serde_json::Value;

use crate::answer::{Answer, Tokens};

/// The longest line that is parsed; longer lines are skipped.
const MAX_LINE: usize = 4 << 20;

/// Collects the answer of an agent program.
pub(crate) struct OutputParser {
    provider: ProviderName,
    line: Vec<u8>,
    is_too_long: bool,
    answer: Answer,
    has_parsed: bool,
}

impl OutputParser {
    pub(crate) fn new(provider: ProviderName) -> Self {
        Self { provider, line: Vec::new(), is_too_long: false, answer: Answer::default(), has_parsed: false }
    }

    /// Takes the next bytes and returns the text to show.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> String {
        match self.provider {
            ProviderName::Cli(AgentCli::Copilot) | ProviderName::Command => {
                String::from_utf8_lossy(bytes).into_owned()
            }
            // Gemini prints one object at the end: nothing to show before.
            ProviderName::Cli(AgentCli::Gemini) => String::new(),
            ProviderName::Cli(AgentCli::Claude | AgentCli::Codex) => {
                let mut shown = String::new();
                for byte in bytes {
                    if *byte == b'\n' {
                        let line = std::mem::take(&mut self.line);
                        if !std::mem::take(&mut self.is_too_long) {
                            self.parse_line(&line, &mut shown);
                        }
                    } else if self.line.len() < MAX_LINE {
                        self.line.push(*byte);
                    } else {
                        self.is_too_long = true;
                    }
                }
                shown
            }
        }
    }

    /// Returns the answer; `printed` is the captured output.
    pub(crate) fn finish(mut self, printed: &str) -> Answer {
        let line = std::mem::take(&mut self.line);
        self.parse_line(&line, &mut String::new());
        match self.provider {
            ProviderName::Cli(AgentCli::Gemini) => gemini(printed),
            // Output without JSON, such as that of an older program, is the answer as it is.
            ProviderName::Cli(AgentCli::Claude | AgentCli::Codex) if self.has_parsed => self.answer,
            _ => Answer { text: printed.to_owned(), ..Answer::default() },
        }
    }

    fn parse_line(&mut self, line: &[u8], shown: &mut String) {
        let Ok(value) = serde_json::from_slice::<Value>(line) else { return };
        match self.provider {
            ProviderName::Cli(AgentCli::Claude) => self.claude(&value, shown),
            ProviderName::Cli(AgentCli::Codex) => self.codex(&value, shown),
            _ => {}
        }
    }

    fn claude(&mut self, value: &Value, shown: &mut String) {
        match value["type"].as_str() {
            Some("assistant") => {
                self.has_parsed = true;
                let parts = value["message"]["content"].as_array().map(Vec::as_slice).unwrap_or_default();
                let texts: Vec<&str> = parts.iter().filter_map(|it| it["text"].as_str()).collect();
                if !texts.is_empty() {
                    self.answer.text = texts.join("\n");
                    shown.push_str(&self.answer.text);
                    shown.push('\n');
                }
            }
            Some("result") => {
                self.has_parsed = true;
                if let Some(text) = value["result"].as_str() {
                    text.clone_into(&mut self.answer.text);
                }
                let usage = &value["usage"];
                let n = |key: &str| usage[key].as_u64().unwrap_or(0);
                let input =
                    n("input_tokens") + n("cache_creation_input_tokens") + n("cache_read_input_tokens");
                self.answer.tokens = Some(Tokens { input, output: n("output_tokens") });
                if value["is_error"] == true {
                    let subtype = value["subtype"].as_str().unwrap_or("error");
                    self.answer.failure =
                        Some(format!("the program reports a failure ({subtype}): {}", self.answer.text));
                }
            }
            _ => {}
        }
    }

    fn codex(&mut self, value: &Value, shown: &mut String) {
        match value["type"].as_str() {
            Some("item.completed") if value["item"]["type"] == "agent_message" => {
                self.has_parsed = true;
                let text = value["item"]["text"].as_str().unwrap_or_default();
                text.clone_into(&mut self.answer.text);
                shown.push_str(text);
                shown.push('\n');
            }
            Some("turn.completed") => {
                self.has_parsed = true;
                let n = |key: &str| value["usage"][key].as_u64().unwrap_or(0);
                let used = Tokens { input: n("input_tokens"), output: n("output_tokens") };
                self.answer.tokens = Some(self.answer.tokens.unwrap_or_default().plus(used));
            }
            Some("turn.failed") => {
                self.has_parsed = true;
                let why = value["error"]["message"].as_str().unwrap_or("no reason given");
                self.answer.failure = Some(format!("the program reports a failure: {why}"));
            }
            _ => {}
        }
    }
}

/// Parses the one object that Gemini prints; other output is the answer as it is.
fn gemini(printed: &str) -> Answer {
    let from = printed.find('{').unwrap_or(0);
    let Ok(value) = serde_json::from_str::<Value>(printed[from..].trim()) else {
        return Answer { text: printed.to_owned(), ..Answer::default() };
    };
    let mut tokens = Tokens::default();
    let models = value["stats"]["models"].as_object();
    for model in models.into_iter().flat_map(serde_json::Map::values) {
        let n = |key: &str| model["tokens"][key].as_u64().unwrap_or(0);
        tokens = tokens.plus(Tokens { input: n("prompt"), output: n("candidates") });
    }
    let failure = value["error"]["message"].as_str().map(|it| format!("the program reports a failure: {it}"));
    let text = value["response"].as_str().unwrap_or_default().to_owned();
    Answer { text, tokens: models.map(|_| tokens), failure }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(provider: ProviderName, printed: &str, expected: &Answer) {
        // However the bytes are cut, the answer is the same.
        for size in [1, 7, 10_000] {
            let mut parser = OutputParser::new(provider);
            for piece in printed.as_bytes().chunks(size) {
                parser.push(piece);
            }
            assert_eq!(&parser.finish(printed), expected, "{provider:?} by {size}");
        }
    }

    #[test]
    fn every_program_is_understood_in_its_own_words() {
        let tokens = |input, output| Some(Tokens { input, output });
        check(
            ProviderName::Cli(AgentCli::Claude),
            "{\"type\":\"system\",\"subtype\":\"init\"}\n{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"hé\"}]}}\n{\"type\":\"result\",\"is_error\":false,\"result\":\"done\",\"usage\":{\"input_tokens\":3,\"cache_read_input_tokens\":4,\"output_tokens\":5}}\n",
            &Answer { text: "done".into(), tokens: tokens(7, 5), failure: None },
        );
        check(
            ProviderName::Cli(AgentCli::Claude),
            "{\"type\":\"result\",\"subtype\":\"error_max_turns\",\"is_error\":true,\"usage\":{}}",
            &Answer {
                text: String::new(),
                tokens: tokens(0, 0),
                failure: Some("the program reports a failure (error_max_turns): ".into()),
            },
        );
        check(
            ProviderName::Cli(AgentCli::Codex),
            "{\"type\":\"thread.started\"}\n{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"ok\"}}\n{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":9,\"output_tokens\":2}}\n",
            &Answer { text: "ok".into(), tokens: tokens(9, 2), failure: None },
        );
        check(
            ProviderName::Cli(AgentCli::Codex),
            "{\"type\":\"turn.failed\",\"error\":{\"message\":\"limit\"}}\n",
            &Answer {
                text: String::new(),
                tokens: None,
                failure: Some("the program reports a failure: limit".into()),
            },
        );
        check(
            ProviderName::Cli(AgentCli::Gemini),
            "Loaded.\n{\"response\":\"yes\",\"stats\":{\"models\":{\"g\":{\"tokens\":{\"prompt\":1,\"candidates\":2}}}}}",
            &Answer { text: "yes".into(), tokens: tokens(1, 2), failure: None },
        );
        for provider in ProviderName::ALL {
            let plain = Answer { text: "just text\n{".into(), ..Answer::default() };
            check(provider, "just text\n{", &plain);
        }
    }

    #[test]
    fn a_line_that_never_ends_is_skipped() {
        let mut parser = OutputParser::new(ProviderName::Cli(AgentCli::Codex));
        for _ in 0..6 {
            parser.push(&vec![b'x'; 1 << 20]);
        }
        parser
            .push(b"\n{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"ok\"}}\n");
        assert_eq!(parser.finish("").text, "ok");
    }
}

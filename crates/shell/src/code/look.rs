//! Searches code for calls that do something and follows the commands they run.

use super::Language;
use super::arguments::{arguments, followed, is_address, is_handed_on};
use super::calls::{Deed, deed};
use super::front::{Front, Modules, front};
use super::quoted_words::list_words;
use super::token::{Token, tokens};
use super::value::{Values, split};
use super::whole_code::{has_computed_callee, is_decoded, sends_data};
use crate::guard::RuleId;
use crate::limits::MAX_CHARS;
use crate::reading::{Doubt, Origin, Site};
use crate::text::{Taint, Text};
use crate::walk::{Call, Walker};

/// Calls that wait for a line of standard input.
const READS_INPUT: [&str; 9] = [
    "input(",
    "sys.stdin",
    "readline",
    "process.stdin",
    "/dev/stdin",
    "STDIN",
    "gets",
    "io.read",
    "/dev/tty",
];

impl Walker<'_> {
    /// Looks through code that is about to run.
    pub(crate) fn code(&mut self, language: Language, code: &Text, call: &Call) {
        let n_unknown: usize = code.holes.iter().map(|(start, end)| end - start).sum();
        let whole = n_unknown == code.text.len();
        if whole && !code.text.is_empty() {
            if code.taint.has(Taint::FETCHED) {
                self.reading.runs_fetched_code = true;
                self.risk(RuleId::FetchedCode, call.name.clone(), call.span);
            } else if code.taint.has(Taint::DECODED) {
                self.risk(RuleId::DecodedCode, call.name.clone(), call.span);
            } else if code.taint.has(Taint::TYPED) {
                self.runs_typed(call);
            }
            self.doubt(Doubt::Code, language.name(), call.span);
            return;
        }
        if language != Language::Awk && !self.only_computes(language, code, call) {
            self.doubt(Doubt::Code, language.name(), call.span);
        }
        if code.text.len() > MAX_CHARS * 2 {
            return;
        }
        self.code_asks_page(code, call.span);
        self.enter(|walker| {
            let origin = walker.enter_origin(Origin::Code(language.name()));
            // A program has its own current folder.
            let listed = (language == Language::Perl).then(|| list_words(&code.text)).flatten();
            let text = listed.as_deref().unwrap_or(&code.text);
            walker.subshell(|walker| Look::new(walker, language, text, call).run());
            walker.leave_origin(origin);
        });
    }
}

#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Look<'w, 'p, 'c> {
    pub(super) walker: &'w mut Walker<'p>,
    pub(super) language: Language,
    pub(super) code: &'c str,
    pub(super) call: &'c Call,
    home: String,
    cwd: Option<String>,
    pub(super) names: Vec<(String, Text)>,
    pub(super) lists: Vec<(String, Vec<Text>)>,
    aliases: Vec<(String, String)>,
    pub(super) modules: Modules,
    fetches: bool,
    /// How many files were written before this code.
    pub(super) n_writes: usize,
    dynamic: bool,
    /// Whether text that is not constant is run as code.
    evaluates: bool,
    /// Whether text that is not constant is run by a shell.
    runs_unknown: bool,
}

impl<'w, 'p, 'c> Look<'w, 'p, 'c> {
    fn new(walker: &'w mut Walker<'p>, language: Language, code: &'c str, call: &'c Call) -> Self {
        let home = walker.reading.home.clone();
        let cwd = walker.folder();
        let n_writes = walker.reading.writes.len();
        Self {
            n_writes,
            walker,
            language,
            code,
            call,
            home,
            cwd,
            names: Vec::new(),
            lists: Vec::new(),
            aliases: Vec::new(),
            modules: Modules::default(),
            fetches: false,
            dynamic: false,
            evaluates: false,
            runs_unknown: false,
        }
    }

    fn run(mut self) {
        let tokens = tokens(self.language, self.code);
        self.modules = Modules::of(&tokens);
        let n_reads = self.walker.reading.reads.len();
        for at in 0..tokens.len() {
            match &tokens[at] {
                // `$`rm -rf /`` of bun and zx.
                Token::Text { text, code: false, .. }
                    if self.language == Language::Node
                        && at > 0
                        && tokens[at - 1] == Token::Mark('$')
                        && text.contains(' ') =>
                {
                    self.shell(&[Text::known(text.clone())]);
                }
                Token::Text { text, code: true, .. } => self.shell(&[Text::known(text.clone())]),
                // Of these languages no call is known by name: any text may be a command.
                Token::Text { text, .. } if self.language == Language::Other => {
                    self.any_text(text, &tokens, at);
                }
                Token::Name(name) => self.name(&tokens, at, name),
                Token::Mark(mark) if self.language == Language::Awk => self.awk_mark(&tokens, at, *mark),
                _ => {}
            }
        }
        let lower = self.code;
        let connects = ["socket", "Socket", "fsockopen", "/inet/tcp", "\"net\"", "'net'", "net.connect"]
            .iter()
            .any(|mark| lower.contains(mark));
        let spawns =
            ["/bin/sh", "/bin/bash", "dup2", "pty.spawn", "cmd.exe", "IO.popen", "getline", "<&3", "sh -i"]
                .iter()
                .any(|mark| lower.contains(mark));
        // The socket is the shell's input: `stdin=s.fileno()`, `s.pipe(child.stdin)`.
        let joins = lower.contains("fileno()") && lower.contains("stdin=")
            || lower.contains(".pipe(") && lower.contains("child_process");
        let spawns = spawns || joins;
        // `exec(received)`, `Popen(received, shell=True)`: the other side decides what runs.
        if connects && (spawns || self.runs_unknown || self.evaluates && lower.contains("recv")) {
            self.walker.risk(RuleId::ReverseShell, self.language.name(), self.call.span);
        }
        let loops =
            ["while 1", "while(1", "while (1", "while True", "while true", "while fork", "for(;;)", "loop"];
        if lower.contains("fork") && loops.iter().any(|mark| lower.contains(mark)) && lower.len() < 200 {
            self.walker.risk(RuleId::ForkBomb, self.language.name(), self.call.span);
        }
        if self.fetches {
            let asked = tokens.iter().find_map(|token| match token {
                Token::Text { text, .. } if crate::network::is_metadata_url(text) => Some(text.clone()),
                _ => None,
            });
            if let Some(address) = asked {
                self.walker.risk(RuleId::CloudMetadata, address, self.call.span);
            }
            let home = self.home.clone();
            let leaks = self.walker.reading.reads[n_reads..]
                .iter()
                .any(|read| crate::secrets::is_secret(&read.path, &home));
            let dumps = ["os.environ)", "process.env)", "dict(os.environ", "ENV.to_h"]
                .iter()
                .any(|dump| lower.contains(dump));
            if sends_data(lower) {
                self.walker.sent_by_code(n_reads, self.call.span);
            }
            if leaks || dumps || super::environment::is_in_address(self.code) {
                self.walker.risk(RuleId::SecretExfiltration, self.language.name(), self.call.span);
            }
        }
        self.shows_secrets(n_reads);
        let is_fed = self.walker.stdin().is_some_and(|input| input.taint.has(Taint::FETCHED));
        if self.evaluates && (self.fetches || is_fed) {
            self.runs_fetched();
        }
        if self.evaluates
            && self.walker.stdin().is_none()
            && READS_INPUT.iter().any(|read| lower.contains(read))
        {
            self.walker.runs_typed(self.call);
        }
        if self.walker.may_be_typed_into()
            && (self.opens_prompt() || self.evaluates && self.reads_each_line())
        {
            self.walker.runs_typed(self.call);
        }
        self.walks(&tokens);
        self.uses_clients(&tokens);
        self.kills(&tokens);
        self.finds(&tokens);
        self.may_print(&tokens);
        self.dynamic |= self.code.len() < 2000 && has_computed_callee(self.language, &tokens, self.code);
        if self.dynamic {
            // The callee is decided at run time: any text that could be a command is read as one.
            for token in &tokens {
                if let Token::Text { text, .. } = token
                    && text.contains(' ')
                    && text.len() < 4096
                {
                    self.shell(&[Text::known(text.clone())]);
                    if text.contains('(') && text.len() < self.code.len() {
                        let call = self.call;
                        self.walker.code(self.language, &Text::known(text.clone()), call);
                    }
                }
            }
        }
    }

    /// Follows a text, and the row of texts that it begins, as a command: `ProcessBuilder("rm", "-rf", "x")`,
    /// `(sh "rm" "-rf" "x")`.
    fn any_text(&mut self, text: &str, tokens: &[Token], at: usize) {
        if text.contains(' ') {
            self.shell(&[Text::known(text)]);
        }
        self.shell(&texts_at(tokens, at));
    }

    /// Returns whether the program runs for each line of standard input: `perl -ne`, awk without files.
    fn reads_each_line(&self) -> bool {
        let words = self.call.rest();
        let has_no_file = words.last().is_some_and(|last| last.text == self.code);
        let is_looped = || {
            words.iter().any(|word| {
                let letters = word.text.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
                letters.is_some_and(|letters| letters.contains(['n', 'p']))
            })
        };
        match self.language {
            Language::Perl | Language::Ruby => has_no_file && is_looped(),
            Language::Awk => has_no_file && !self.code.trim_start().starts_with("BEGIN"),
            Language::Python
            | Language::Node
            | Language::Php
            | Language::Lua
            | Language::AppleScript
            | Language::R
            | Language::Julia
            | Language::Elixir
            | Language::Groovy
            | Language::Other => false,
        }
    }

    /// Reads a name: an assignment, an alias, or a call.
    fn name(&mut self, tokens: &[Token], at: usize, name: &str) {
        if let (Some(Token::Name(word)), Some(Token::Name(alias))) = (tokens.get(at + 1), tokens.get(at + 2))
            && word == "as"
        {
            self.aliases.push((alias.clone(), name.to_owned()));
        }
        // `const { execFileSync: run } = require("child_process")`
        if self.language == Language::Node
            && at > 0
            && let (
                Token::Mark('{' | ','),
                Some([Token::Mark(':'), Token::Name(alias), Token::Mark('}' | ',')]),
            ) = (&tokens[at - 1], tokens.get(at + 1..at + 4))
        {
            self.aliases.push((alias.clone(), name.to_owned()));
        }
        if matches!(name, "def" | "function" | "sub") {
            self.bind_parameters(tokens, at + 1);
        }
        if matches!(tokens.get(at + 1), Some(Token::Mark('=')))
            && !matches!(tokens.get(at + 2), Some(Token::Mark('=' | '>' | '~')))
        {
            let end = tokens[at + 2..]
                .iter()
                .take(64)
                .position(|token| matches!(token, Token::Mark(';' | '\n')))
                .unwrap_or(64.min(tokens.len() - at - 2));
            let right = &tokens[at + 2..at + 2 + end];
            if right.iter().any(|token| matches!(token, Token::Text { .. } | Token::Name(_)))
                && self.names.len() < 256
            {
                // `f = os.system`: from here on `f(…)` is `system(…)`.
                let is_name = |token: &Token| matches!(token, Token::Name(_) | Token::Mark('.'));
                if let Some(Token::Name(callee)) = right.last()
                    && right.iter().all(is_name)
                    && self.aliases.len() < 256
                {
                    let renamed = self.aliases.iter().rev().find(|(alias, _)| alias == callee);
                    let callee = renamed.map_or(callee, |(_, name)| name).clone();
                    self.aliases.push((name.to_owned(), callee));
                }
                let values = self.values();
                let (value, list) = (values.one(right), values.list(right));
                let is_list = match right {
                    [Token::Mark('['), .., Token::Mark(']')] => true,
                    // `@words = ("rm", "-rf")` of perl, a tuple of python.
                    [Token::Mark('('), inner @ .., Token::Mark(')')] => split(inner).len() > 1,
                    _ => false,
                };
                if is_list {
                    self.lists.push((name.to_owned(), list));
                }
                self.names.push((name.to_owned(), value));
            }
        }
        let known = self
            .aliases
            .iter()
            .rev()
            .find(|(alias, _)| alias == name)
            .map_or(name, |(_, name)| name)
            .to_owned();
        if self.language == Language::AppleScript && known == "administrator" {
            self.walker.reading.privilege = true;
            self.walker.risk(RuleId::Privilege, "administrator privileges", self.call.span);
        }
        if self.language == Language::AppleScript && known == "script" {
            if let Some(Token::Text { text, .. }) = tokens.get(at + 1) {
                self.shell(&[Text::known(text.clone())]);
            }
            return;
        }
        // `"…".execute()` of groovy.
        if self.language == Language::Groovy
            && known == "execute"
            && let Some(Token::Text { text, .. }) = at.checked_sub(2).and_then(|before| tokens.get(before))
        {
            self.shell(&[Text::known(text.clone())]);
            return;
        }
        self.grow_list(tokens, at, name);
        let front = front(tokens, at, &self.modules);
        let Some(deed) = deed(self.language, &known, front, self.code) else { return };
        // `File.rm_rf!(…)` of elixir.
        let open = at + 1 + usize::from(matches!(tokens.get(at + 1), Some(Token::Mark('!'))));
        // `Pathname("x").rmtree` of ruby has no brackets.
        let is_bare = self.language == Language::Ruby && matches!(front, Front::Path(_));
        let Some(arguments) = arguments(self.language, tokens, open).or(is_bare.then_some(&[][..])) else {
            // `.then(eval)`: passed as a value and called with text that only exists at run time.
            self.evaluates |= deed == Deed::Evaluate && is_handed_on(tokens, at);
            return;
        };
        if deed.is_about_files() {
            self.file_deed(deed, &known, front, arguments);
        } else {
            self.act(deed, arguments);
        }
    }

    fn act(&mut self, deed: Deed, arguments: &[Token]) {
        let parts = split(arguments);
        let span = self.call.span;
        let values = self.values();
        let words: Vec<Text> =
            parts.iter().filter_map(|part| followed(part)).flat_map(|part| values.list(part)).collect();
        let first = words.first().cloned();
        match deed {
            Deed::Shell => {
                if self.language == Language::Awk {
                    self.evaluates |= arguments.contains(&Token::Mark('$'));
                    self.awk_system(arguments);
                    return;
                }
                self.runs_unknown |= first.as_ref().is_none_or(|word| !word.is_known());
                // The command comes from a list or a parameter: any text of the code may be it.
                self.dynamic |= self.code.len() < 2000 && first.as_ref().is_some_and(|word| !word.is_known());
                if self.fetches && self.runs_written(&words) {
                    self.runs_fetched();
                }
                self.shell(&words);
            }
            Deed::Query => {
                let is_file = self.code.contains("sqlite") || self.code.contains("duckdb");
                if let Some(text) = first.filter(|text| text.text.contains(' '))
                    && let Some(rule) = crate::programs::rule_of_statement(&text.text, is_file)
                {
                    self.walker.risk(rule, text.text.chars().take(80).collect::<String>(), span);
                }
            }
            Deed::Fetch | Deed::Socket => {
                let is_local = first.is_some_and(|address| crate::network::is_local_url(&address.text));
                self.walker.reading.network = true;
                self.fetches |= !is_local;
            }
            Deed::FetchFile => {
                self.walker.reading.network = true;
                self.fetches |= !first.is_some_and(|address| crate::network::is_local_url(&address.text));
                if let Some(path) = words.get(1) {
                    self.walker.write_path(path, span);
                }
            }
            Deed::Import if arguments.iter().any(is_address) => self.runs_fetched(),
            Deed::Import => {}
            Deed::Evaluate => {
                if is_decoded(arguments)
                    && first.as_ref().is_none_or(|code| !code.is_known() || code.text.is_empty())
                    || is_decoded(arguments)
                        && matches!(self.language, Language::Perl | Language::Ruby | Language::Php)
                {
                    self.walker.risk(RuleId::DecodedCode, self.language.name(), span);
                }
                if arguments.iter().any(is_address) {
                    self.runs_fetched();
                    return;
                }
                self.evaluates |= first.as_ref().is_some_and(|code| !code.is_known() || code.text.is_empty());
                if let Some(code) = first {
                    if self.language == Language::Perl
                        || self.language == Language::Ruby
                        || code.text.is_empty()
                    {
                        return;
                    }
                    let call = self.call;
                    self.walker.code(self.language, &code, call);
                }
                self.dynamic = true;
            }
            Deed::Dynamic => self.dynamic = true,
            // [`Self::file_deed`] follows these.
            Deed::DeleteTree
            | Deed::Delete
            | Deed::Write
            | Deed::WriteSecond
            | Deed::Unpack
            | Deed::ChangeFolder
            | Deed::Copy
            | Deed::Move
            | Deed::MakeFolder
            | Deed::Open
            | Deed::Read => {}
        }
    }

    /// From here on the program is somewhere else.
    pub(super) fn change_folder(&mut self, folder: &Text) {
        self.walker.change_to(folder);
        self.cwd = self.walker.folder();
    }

    /// Text from the network is run as code.
    fn runs_fetched(&mut self) {
        self.walker.reading.runs_fetched_code = true;
        self.walker.risk(RuleId::FetchedCode, self.language.name(), self.call.span);
    }

    /// Follows text for a shell, or words for a program.
    pub(super) fn shell(&mut self, words: &[Text]) {
        let call = self.call;
        match words {
            [] => {}
            [text] if text.text.is_empty() => {}
            [text] => {
                self.walker.run_text(text, call, "printed");
            }
            words => {
                self.walker.invoke(words.to_vec(), call.span);
            }
        }
    }

    pub(super) fn values(&self) -> Values<'_> {
        Values {
            language: self.language,
            home: &self.home,
            cwd: self.cwd.as_deref(),
            names: &self.names,
            lists: &self.lists,
        }
    }
}

/// Returns the texts in a row, separated by commas or spaces, of which the one at `at` is the first. Returns none of a
/// single text.
fn texts_at(tokens: &[Token], at: usize) -> Vec<Text> {
    let is_part = |token: &Token| matches!(token, Token::Text { .. } | Token::Mark(','));
    if at > 0 && is_part(&tokens[at - 1]) {
        return Vec::new();
    }
    let row = tokens[at..].iter().take(64).take_while(|token| is_part(token));
    let texts: Vec<Text> = row
        .filter_map(|token| match token {
            Token::Text { text, .. } => Some(Text::known(text.clone())),
            _ => None,
        })
        .collect();
    if texts.len() > 1 { texts } else { Vec::new() }
}

impl Walker<'_> {
    fn folder(&self) -> Option<String> {
        if self.site() == Site::Local { self.cwd().map(str::to_owned) } else { None }
    }
}

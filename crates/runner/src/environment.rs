//! The environment of a program: the caller's variables without those of an enclosing agent session.

use std::ffi::{OsStr, OsString};
use std::fmt::Write;

use redact::{REPLACEMENT, Redacted};

/// The variable that marks every process of a run, so that detached processes can be found.
pub const MARK: &str = "STEERSMAN_RUN";

/// Variables by which agent programs recognise that they run inside one of their own sessions;
/// a run is a separate session.
const SESSION_MARKS: &[&str] = &[
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SSE_PORT",
    "CLAUDE_PROJECT_DIR",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "COPILOT_CLI",
    "CURSOR_PROJECT_DIR",
    "GEMINI_CLI",
    "GEMINI_SESSION_ID",
    "QWEN_CODE_SESSION_ID",
    "VSCODE_IPC_HOOK_CLI",
];

/// The shortest value that counts as a secret wherever it appears.
const MIN_SECRET: usize = 5;

/// A value that the filter redacts behind any name that can hold a secret.
const RANDOM_LOOKING: &str = "x7Gq2LpZ9vKd4TfWm8Rb";

/// The variables of a program; it inherits no others.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    variables: Vec<(OsString, OsString)>,
}

impl Environment {
    /// Takes the caller's variables without those of an enclosing agent session.
    pub fn from_variables(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let is_foreign = |name: &OsStr| SESSION_MARKS.iter().any(|mark| name == OsStr::new(mark));
        Self { variables: variables.into_iter().filter(|(name, _)| !is_foreign(name)).collect() }
    }

    /// Sets a variable.
    pub fn set(&mut self, name: impl Into<OsString>, value: impl Into<OsString>) {
        let name = name.into();
        self.variables.retain(|(known, _)| *known != name);
        self.variables.push((name, value.into()));
    }

    /// Returns a variable's value.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_os_str())
    }

    /// Returns the names and values.
    pub fn variables(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.variables.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }

    /// Returns a pattern for the filter that matches the value of a variable. Returns `None` if it is not set or so
    /// short that the pattern would match ordinary words.
    pub fn pattern_of(&self, name: &str) -> Option<String> {
        self.get(name)?.to_str().filter(|value| value.trim().len() >= MIN_SECRET).map(literal)
    }

    /// Returns patterns for the filter that match the values of variables with a secret's name.
    ///
    /// A program may print its token without a name next to it, in a shape that no detector
    /// recognises. Short values are left out: they would match ordinary words.
    pub fn secret_patterns(&self) -> Vec<String> {
        let secret = |name: &OsStr, value: &OsStr| {
            let (name, value) = (name.to_str()?, value.to_str()?);
            let long_enough = value.len() >= 8 && !value.trim().is_empty();
            let is_hidden =
                |value| Redacted::from_text(&format!("{name}={value}")).as_str().contains(REPLACEMENT);
            // WHY the second value: the name alone decides; a password may consist of words.
            (long_enough && (is_hidden(value) || is_hidden(RANDOM_LOOKING))).then(|| literal(value))
        };
        self.variables().filter_map(|(name, value)| secret(name, value)).collect()
    }
}

/// Returns a pattern that matches exactly `text`.
fn literal(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 8);
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() {
            pattern.push(char::from(byte));
        } else {
            // WHY hexadecimal: patterns match bytes, and every byte can be written this way.
            let _ = write!(pattern, "\\x{byte:02X}");
        }
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(variables: &[(&str, &str)]) -> Environment {
        Environment::from_variables(variables.iter().map(|(name, value)| (name.into(), value.into())))
    }

    #[test]
    fn the_marks_of_a_session_around_us_are_left_out() {
        let environment = environment(&[("PATH", "/bin"), ("CLAUDECODE", "1"), ("HOME", "/home/dev")]);
        let names: Vec<_> = environment.variables().map(|(name, _)| name.to_owned()).collect();
        assert_eq!(names, ["PATH", "HOME"]);
    }

    #[test]
    fn values_of_secret_variables_are_known_to_the_filter_in_any_surrounding() {
        let environment = environment(&[
            ("DEPLOY_TOKEN", "plain+words/under(a.name"),
            ("HOME", "/home/dev"),
            ("API_KEY", "short"),
        ]);
        let filter = redact::Filter::with_patterns(environment.secret_patterns()).unwrap();
        let told = filter.redact("I read <plain+words/under(a.name> below /home/dev, short.");
        assert_eq!(told.as_str(), "I read <[REDACTED]> below /home/dev, short.");
    }

    #[test]
    fn setting_a_variable_replaces_it() {
        let mut environment = environment(&[("A", "1")]);
        environment.set("A", "2");
        assert_eq!(environment.variables().count(), 1);
        assert_eq!(environment.get("A"), Some(OsStr::new("2")));
    }
}

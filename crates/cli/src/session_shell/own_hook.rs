//! Recognises the command line of our own hook, which Claude Code passes through the program in front of its shell:
//! it is answered here, without a shell and a second process.

use std::ffi::OsString;
use std::path::Path;

use crate::environment;

/// Returns the words after `dispatch` if a string calls a hook of this program, and nothing else.
pub(super) fn words(text: &str) -> Option<Vec<OsString>> {
    let mut words = text.split(' ').filter(|word| !word.is_empty());
    let program = words.next()?;
    if words.next()? != "dispatch" || !is_this_program(program) {
        return None;
    }
    let rest: Vec<OsString> = words.map(OsString::from).collect();
    // Everything that a shell would not take literally belongs to a shell.
    let is_plain = |word: &OsString| {
        word.to_str().is_some_and(|word| {
            word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_=.".contains(&byte))
        })
    };
    rest.iter().all(is_plain).then_some(rest)
}

fn is_this_program(program: &str) -> bool {
    if !program.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-_.+".contains(&byte)) {
        return false;
    }
    let found = if program.contains('/') {
        Some(Path::new(program).to_path_buf())
    } else {
        environment::find_program(program)
    };
    let found = found.and_then(|path| path.canonicalize().ok());
    found.is_some() && found == environment::running_program()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_call_of_this_program_is_our_hook() {
        let own = environment::running_program().unwrap().display().to_string();
        let words = |text: &str| words(text).map(|words| words.join(std::ffi::OsStr::new(" ")));
        assert_eq!(
            words(&format!("{own} dispatch PreToolUse --host codex")),
            Some("PreToolUse --host codex".into())
        );
        for text in [
            format!("{own} dispatch PreToolUse; touch x"),
            format!("{own} dispatch $(touch x)"),
            format!("{own} doctor"),
            format!("{own} dispatch PreToolUse > x"),
            "/bin/true dispatch PreToolUse".to_owned(),
            format!("X=1 {own} dispatch PreToolUse"),
            String::new(),
        ] {
            assert_eq!(words(&text), None, "{text}");
        }
    }
}

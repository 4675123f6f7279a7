//! Whether a word in command position runs the program it is named after.
//!
//! INVARIANT: doubt about it never weakens: the effects of the words on that program are judged all the same, and
//! the effects of the file that really runs are added.

use super::script::origin_file;
use super::{Call, Walker};
use crate::place::Dialect;
use crate::programs::{self, folders};
use crate::reading::{Class, Doubt};
use crate::text::Text;

/// Commands that a shell runs itself, whatever `PATH` is.
const BUILTINS: [&str; 30] = [
    ":", "[", "[[", "alias", "bg", "cd", "command", "declare", "dirs", "echo", "eval", "exec", "exit",
    "export", "false", "fg", "jobs", "kill", "local", "printf", "pwd", "read", "return", "set", "shift",
    "test", "true", "type", "unset", "wait",
];

/// Builtins that programs of the same name and a path replace without doing less.
const ALSO_PROGRAMS: [&str; 4] = ["[", "false", "test", "true"];

impl Walker<'_> {
    /// Returns whether a word is a bare name that an unchanged `PATH` leads to, or a path in a folder of the system.
    pub(super) fn is_itself(&self, word: &Text, may_be_builtin: bool) -> bool {
        let text = word.text.as_str();
        if !word.is_known() {
            return false;
        }
        let is_windows = self.place.dialect != Dialect::Posix;
        if is_windows && text.contains(['/', '\\']) {
            return folders::is_of_windows(text);
        }
        if text.contains('/') {
            let path = self.resolve(word).0;
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            return folders::is_of_the_system(folder) && self.state.content(&path).is_none();
        }
        // Few lines change either, and looking for a builtin costs more.
        !self.is_path_changed(text) && !self.is_installed(text) || may_be_builtin && BUILTINS.contains(&text)
    }

    /// Removes the facts that only hold for the program of that name, and follows the file that runs instead.
    pub(super) fn doubt_identity(&mut self, call: &Call) {
        self.classify(call.command, Class::Unknown);
        self.doubt(Doubt::Program, call.argv[0].text.clone(), call.span);
        let word = &call.argv[0];
        if !word.text.contains('/') || !word.is_known() {
            return;
        }
        let path = self.resolve(word).0;
        if let Some(program) = self.copied_from(&path) {
            let mut argv = call.argv.clone();
            argv[0] = Text::known(program);
            self.programs_only = true;
            self.invoke(argv, call.span);
            return;
        }
        let is_written = self.state.content(&path).is_some();
        // Files that tools install (`.venv/bin/python`) are long and say little; builds are unknown anyway.
        let is_tool =
            path.rsplit('/').nth(1).is_some_and(|folder| matches!(folder, "bin" | ".bin" | "Scripts"));
        let builds = programs::find(&call.name).is_none_or(|program| program.class == Class::Unknown);
        if is_written || !is_tool && !builds {
            self.run_file(call);
        }
    }

    /// Returns the program of the system that the line has linked or copied to `path`.
    fn copied_from(&self, path: &str) -> Option<String> {
        let linked = self.state.links.iter().rev().find(|(name, _)| name == path);
        let program = match linked {
            Some((_, target)) => target.clone(),
            None => origin_file(self.state.content(path)?)?.text,
        };
        let (folder, _) = program.rsplit_once('/')?;
        folders::is_of_the_system(folder).then_some(program)
    }

    /// Returns whether a builtin of this name is meant: a path names a program, which cannot change the shell.
    pub(super) fn may_be_builtin(call: &Call) -> bool {
        call.argv.first().is_none_or(|word| !word.text.contains('/'))
            || ALSO_PROGRAMS.contains(&call.name.as_str())
    }

    /// Returns whether the line has changed where the program `name`, or the parts it loads, are looked for.
    fn is_path_changed(&self, name: &str) -> bool {
        // A folder that exists without a program of this name starts no program; in a folder of temporary
        // files another process may create one before the line runs.
        let is_shared =
            |folder: &str| ["/tmp", "/var/tmp", "/dev/shm"].contains(&folder.trim_end_matches('/'));
        let lacks = |folder: &str| {
            let path = format!("{folder}/{name}");
            folder.starts_with('/')
                && !is_shared(folder)
                && !folder.contains('$')
                && self.place.files.is_dir(folder)
                && !self.place.files.exists(&path)
                && self.state.content(&path).is_none()
        };
        let adds = |value: &Text| {
            let is_same = |folder: &str| {
                matches!(folder, "$PATH" | "${PATH}") || folders::is_of_the_system(folder) || lacks(folder)
            };
            !value.text.split(':').all(is_same)
        };
        self.state.variables.iter().any(|variable| match variable.name.as_str() {
            "PATH" => variable.values.iter().any(adds),
            // The array of zsh; a mere variable of this name is an ordinary one.
            "path" => variable.elements.is_some(),
            "LD_LIBRARY_PATH" | "DYLD_LIBRARY_PATH" | "DYLD_FRAMEWORK_PATH" | "GIT_EXEC_PATH" => true,
            _ => false,
        })
    }

    /// Returns whether the line has written a program of this name to where programs are looked for.
    fn is_installed(&self, name: &str) -> bool {
        self.state.written.iter().any(|written| {
            written
                .path
                .rsplit_once('/')
                .is_some_and(|(folder, file)| file == name && folders::is_of_the_system(folder))
        })
    }
}

//! How much is read before a line counts as unknown.
//!
//! INVARIANT: every limit turns the whole line into *unknown*; none of them
//! cuts the line and judges the rest.

/// Characters of one command line.
pub const MAX_CHARS: usize = 128 * 1024;

/// Words of one command line, counted wherever they stand.
pub const MAX_WORDS: usize = 16 * 1024;

/// Levels of nesting: substitutions, groups, compound commands.
pub const MAX_LEVELS: usize = 64;

/// Steps into one another while following commands: each level of the line costs
/// about three, `bash -c`, `eval`, functions and scripts that are entered cost more.
pub(crate) const MAX_FOLLOWED: usize = 320;

/// Scripts within scripts.
pub(crate) const MAX_SCRIPT_DEPTH: usize = 6;

/// Bytes of a script file that is read because it is run.
pub(crate) const MAX_SCRIPT_BYTES: usize = 256 * 1024;

/// Bytes of text that are parsed for one line, all entered scripts together.
pub(crate) const MAX_PARSED_BYTES: usize = 2 * 1024 * 1024;

/// Simple commands that are recorded for one line.
pub(crate) const MAX_COMMANDS: usize = 20_000;

/// Values that are tried for one variable (loops, branches).
pub(crate) const MAX_ALTERNATIVES: usize = 12;

/// Words one brace or glob expansion may become.
pub(crate) const MAX_EXPANDED: usize = 256;

/// Bytes of a value that is computed without running anything.
pub(crate) const MAX_VALUE_BYTES: usize = 256 * 1024;

/// Variables that are followed.
pub(crate) const MAX_VARIABLES: usize = 1024;

/// Copies of variables made for subshells.
pub(crate) const MAX_WORK: usize = 500_000;

/// Questions to git about one line.
pub(crate) const MAX_GIT_QUESTIONS: usize = 12;

/// Counts work, so that tests can compare how it grows with a line. Other builds count nothing.
#[inline]
pub(crate) fn work(amount: usize) {
    #[cfg(test)]
    tests::WORK.with(|work| work.set(work.get() + amount));
    #[cfg(not(test))]
    let _ = amount;
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use crate::guard::{self, Policy};
    use crate::{Dialect, Place, read};

    thread_local! {
        /// Bytes that the parser read, bytes of values copied, and steps of the walker.
        pub(super) static WORK: Cell<usize> = const { Cell::new(0) };
    }

    fn work_of(line: &str, dialect: Dialect) -> usize {
        WORK.with(|work| work.set(0));
        let place = Place { home: Some("/home/me"), dialect, ..Place::at("/home/me/work/project") };
        guard::judge(&read(line, &place), &Policy::default());
        WORK.with(Cell::get)
    }

    #[test]
    fn work_grows_with_length_only() {
        for piece in [
            "a=1; ",
            "x|",
            "f() { :; }; ",
            "$x ",
            "{a,b}",
            "rm -rf $x; ",
            "echo 'a' \"b\" | ",
            "a b; ",
            "$(a) ",
            "`a` ",
            "((1)) ",
            "{{{",
            "[a]*",
            "cat <<E\n",
            "for i in 1 2 3; do a; done; ",
            "bash -c 'a'; ",
            "eval a; ",
            "x=$x$x; ",
            "(b=1); ",
            "${x#*a} ",
            "~",
            "{a,b}{c,d}",
            "\\\n",
            "&& a ",
            "$((x)) ",
            "#",
            "a=(1 2) ",
            "if a; then b; fi; ",
            "python -c 'a(b(c(\"x\")))'; ",
            "\u{e9}",
        ] {
            for dialect in [Dialect::Posix, Dialect::PowerShell, Dialect::Cmd] {
                let line = |bytes: usize| piece.repeat(bytes / piece.len());
                let (half, whole) = (work_of(&line(15_000), dialect), work_of(&line(30_000), dialect));
                assert!(
                    whole <= 3 * half + 1_000,
                    "{dialect:?}: {half} for half of the line, {whole} for the whole of `{piece}`"
                );
            }
        }
    }
}

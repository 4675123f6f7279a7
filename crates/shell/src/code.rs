//! Code of other languages: the calls in it, found without understanding it.
//!
//! Calls that remove, write, fetch or start something are found by name, with
//! the constants that reach them. Everything else stays *unknown*, never *safe*.

mod arguments;
mod awk;
mod calls;
mod clients;
mod environment;
mod expansion;
mod files;
mod front;
mod grammar;
mod look;
mod parameters;
mod pure;
mod quoted_words;
mod token;
mod value;
mod whole_code;

pub(crate) use grammar::Grammar;

/// A language whose code is looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Python,
    Node,
    Perl,
    Ruby,
    Php,
    Lua,
    Awk,
    AppleScript,
    R,
    Julia,
    Elixir,
    Groovy,
    /// A language of which only the texts in the code are read: Erlang, Haskell, Scala, Lisps.
    Other,
}

impl Language {
    /// Returns the language an interpreter reads.
    pub(crate) fn of_program(name: &str) -> Option<Self> {
        Some(match name {
            "python" | "python2" | "python3" | "pypy" | "pypy3" | "ipython" => Self::Python,
            "node" | "nodejs" | "deno" | "tsx" | "ts-node" => Self::Node,
            "perl" => Self::Perl,
            "ruby" | "jruby" | "truffleruby" | "irb" => Self::Ruby,
            "php" => Self::Php,
            "lua" | "luajit" | "texlua" => Self::Lua,
            "awk" | "gawk" | "mawk" | "nawk" => Self::Awk,
            "osascript" => Self::AppleScript,
            "Rscript" | "R" => Self::R,
            "julia" => Self::Julia,
            "elixir" => Self::Elixir,
            "groovy" => Self::Groovy,
            _ => return None,
        })
    }

    /// Returns the name shown to people.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Node => "node",
            Self::Perl => "perl",
            Self::Ruby => "ruby",
            Self::Php => "php",
            Self::Lua => "lua",
            Self::Awk => "awk",
            Self::AppleScript => "osascript",
            Self::R => "r",
            Self::Julia => "julia",
            Self::Elixir => "elixir",
            Self::Groovy => "groovy",
            Self::Other => "code",
        }
    }
}

/// Returns the language of a script by its first line or its ending; `None` for shell scripts.
pub(crate) fn language_of(first_line: &str, path: &str) -> Option<Language> {
    if let Some(interpreter) = first_line.strip_prefix("#!") {
        let mut words = interpreter.split_whitespace();
        let mut name = words.next()?.rsplit('/').next()?;
        if name == "env" {
            name = words.find(|word| !word.starts_with('-'))?;
        }
        return Language::of_program(crate::programs::canonical(name));
    }
    Some(match path.rsplit('.').next()? {
        "py" => Language::Python,
        "js" | "mjs" | "cjs" | "ts" => Language::Node,
        "pl" => Language::Perl,
        "rb" => Language::Ruby,
        "php" => Language::Php,
        "lua" => Language::Lua,
        _ => return None,
    })
}

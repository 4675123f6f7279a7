//! The options of interpreters: which take a value, and which values are code.

use super::Language;
use crate::programs::options::Spec;

/// The options of an interpreter. Names are separated by `|`, those of [`Spec`] by spaces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grammar {
    pub spec: Spec<'static>,
    /// Options whose value is code.
    pub code: &'static str,
    /// Options whose value is a file of code.
    pub files: &'static str,
    /// Options whose value is a module or a file that runs first.
    pub first: &'static str,
    /// Options with which the first operand is code.
    pub prints: &'static str,
    /// Options with which it says something about itself and ends.
    pub idle: &'static str,
    /// With code on the line all further words are for the code.
    pub ends_with_code: bool,
}

const NONE: Grammar = Grammar {
    spec: Spec { values: "", optional: "", flags: "", is_partial: false },
    code: "-e",
    files: "",
    first: "",
    prints: "",
    idle: "--version|--help|-h",
    ends_with_code: false,
};

const fn spec(values: &'static str, optional: &'static str, flags: &'static str) -> Spec<'static> {
    Spec { values, optional, flags, is_partial: false }
}

impl Language {
    /// Returns the options of its interpreters.
    #[expect(clippy::too_many_lines, reason = "a table: one arm per language")]
    pub(crate) const fn grammar(self) -> Grammar {
        match self {
            Self::Python => Grammar {
                spec: spec(
                    "-c -m -W -X -Q --check-hash-based-pycs",
                    "",
                    "-b -B -d -E -h -i -I -O -P -q -R -s -S -t -u -v -V -x -3 -? --version --help --help-all --help-env --help-xoptions",
                ),
                code: "-c",
                idle: "--version|-V|--help|-h|-?|--help-all|--help-env|--help-xoptions",
                ends_with_code: true,
                ..NONE
            },
            Self::Node => Grammar {
                spec: spec(
                    "-e --eval -r --require --import --loader --experimental-loader --env-file --env-file-if-exists -C --conditions -P --project --tsconfig --title --icu-data-dir --openssl-config --redirect-warnings --trace-event-categories --diagnostic-dir --watch-path --test-name-pattern --test-reporter --test-reporter-destination --config --import-map --lock --location --seed --ext --cert --log-level -L -O --compiler-options --cwd",
                    "--inspect --inspect-brk --watch --reload --allow-read --allow-write --allow-net --allow-env --allow-run --allow-sys --allow-ffi --check --unstable --env",
                    "-p -c -i -v -h -A -T -I --print --interactive --allow-all --version --help --no-warnings --trace-warnings --test --run --quiet -q",
                ),
                code: "-e|--eval|--print",
                first: "-r|--require|--import|--loader|--experimental-loader",
                prints: "-p|--print",
                idle: "--version|-v|--help|-h",
                ends_with_code: true,
                ..NONE
            },
            Self::Perl => Grammar {
                spec: spec(
                    "-e -E -I -M -m",
                    "-i -F -C -D -x -V",
                    "-a -c -d -f -g -h -l -n -p -s -S -t -T -u -U -v -w -W -X -0 -1 -2 -3 -4 -5 -6 -7 -8 -9",
                ),
                code: "-e|-E",
                idle: "-v|-V|-h|--version|--help",
                ..NONE
            },
            Self::Ruby => Grammar {
                spec: spec(
                    "-e -r -I -C -X -E --encoding --external-encoding --internal-encoding --enable --disable",
                    "-i -F -K -T -W -x --jit --yjit --dump --backtrace-limit",
                    "-a -c -d -h -l -n -p -s -S -U -v -w -y -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --copyright --debug --verbose --version --help",
                ),
                idle: "--version|--help|-h|--copyright",
                ..NONE
            },
            Self::Php => Grammar {
                spec: spec(
                    "-r -B -R -E -F -f -d -c -S -t -z --run --process-begin --process-code --process-end --process-file --file --define --php-ini --server --docroot --zend-extension --rf --rc --re --rz --ri",
                    "-g",
                    "-a -C -e -h -H -i -l -m -n -q -s -v -w --interactive --no-php-ini --help --info --syntax-check --modules --no-header --version --strip",
                ),
                code: "-r|-B|-R|-E|--run|--process-begin|--process-code|--process-end",
                files: "-f|-F|--file|--process-file",
                idle: "-v|-i|-m|-h|--version|--info|--modules|--help",
                ..NONE
            },
            Self::Lua => Grammar { spec: spec("-e -l -j -b", "-O", "-i -v -E -W"), first: "-l", ..NONE },
            Self::AppleScript => Grammar { spec: spec("-e -l -s", "", "-i"), ..NONE },
            Self::R => Grammar {
                spec: spec(
                    "-e -f -g --file --default-packages --encoding --args",
                    "",
                    "--vanilla --slave --no-save --no-restore --quiet -q -s --verbose --no-echo --interactive",
                ),
                files: "-f|--file",
                ..NONE
            },
            Self::Julia => Grammar {
                spec: spec(
                    "-e -E -L -p -t -J -H -C -m --eval --print --load --procs --threads --sysimage --home --cpu-target --machine-file --gcthreads",
                    "-O -g --project --startup-file --color --compile --history-file",
                    "-i -q -v -h --quiet --version --help --banner",
                ),
                code: "-e|-E|--eval|--print",
                first: "-L|--load",
                idle: "-v|--version|-h|--help",
                ..NONE
            },
            Self::Elixir => Grammar {
                spec: spec(
                    "-e --eval --rpc-eval:2 -r -pr -pa -pz -S --name --sname --cookie --erl --erl-config --vm-args --logger-otp-reports",
                    "",
                    "-v --version --help -h --no-halt --hidden --werl",
                ),
                code: "-e|--eval|--rpc-eval",
                first: "-r|-pr",
                idle: "-v|--version|-h|--help",
                ..NONE
            },
            Self::Groovy => Grammar {
                spec: spec("-e -cp -classpath --classpath -D -c --encoding -b", "-i -l", "-a -d -h -n -p -v"),
                idle: "-v|--version|-h|--help",
                ..NONE
            },
            Self::Other => NONE,
            Self::Awk => Grammar {
                spec: spec(
                    "-f --file -v --assign -F --field-separator -i --include -l --load -E --exec -e --source -W",
                    "-d -D -o -p -L --dump-variables --debug --pretty-print --profile --lint",
                    "-b -c -C -g -h -I -k -M -n -N -O -P -r -s -S -t -V --characters-as-bytes --traditional --copyright --gen-pot --help --trace --csv --bignum --non-decimal-data --use-lc-numeric --optimize --posix --re-interval --no-optimize --sandbox --lint-old --version",
                ),
                code: "-e|--source",
                files: "-f|-E|--file|--exec",
                first: "-l|--load",
                idle: "--version|-V|--help|-h|--copyright|-C",
                ..NONE
            },
        }
    }
}

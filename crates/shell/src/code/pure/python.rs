//! Python code that only computes and prints.

use super::{is_attribute, is_in, is_mark, name_at};
use crate::code::Language;
use crate::code::arguments::arguments;
use crate::code::token::{Token, tokens};
use crate::code::value::split;

const KEYWORDS: &str = "and as assert async await break continue def del elif else except False finally for from global if import \
    in is lambda None nonlocal not or pass raise return True try while with yield match case";

/// Built-in functions and exceptions that change nothing.
const FUNCTIONS: &str = "print len range sorted sum min max str int float list dict set tuple frozenset enumerate zip map filter \
    any all isinstance issubclass repr hex bin oct ord chr abs round reversed type format bool bytes bytearray complex divmod pow \
    slice next iter hash id callable ascii Exception ValueError KeyError IndexError TypeError StopIteration OSError IOError \
    FileNotFoundError ImportError ZeroDivisionError UnicodeDecodeError __name__ SystemExit quit exit";

/// Modules of the standard library, of which only listed attributes are used.
const MODULES: &str = "sys json re math cmath datetime time collections itertools functools operator string hashlib base64 binascii \
    platform textwrap statistics random secrets decimal fractions urllib.parse html csv struct uuid pprint os os.path pathlib glob \
    tomllib ast unicodedata calendar locale ipaddress difflib heapq bisect keyword codecs importlib.metadata \
    xml.etree.ElementTree collections.abc typing zlib socket sysconfig site inspect enum copy";

/// Packages that many machines have. Only their versions are asked for, and a file is read with some of them.
const INSTALLED: &str = "numpy pandas torch requests yaml toml tomli django flask fastapi pydantic sqlalchemy scipy sklearn \
    matplotlib tensorflow keras transformers datasets PIL cv2 pytest setuptools pip wheel jinja2 click rich httpx aiohttp boto3 \
    redis psycopg2 pymongo celery starlette uvicorn lxml bs4 jax polars openai anthropic langchain networkx sympy numba torchvision";

/// Attributes of such packages that only compute or read.
const OF_INSTALLED: &str = "__version__ __file__ __path__ __name__ version VERSION get_version cuda backends mps is_available \
    device_count get_device_name is_built safe_load safe_load_all read_csv read_json read_parquet read_excel read_table";

/// Modules that are compiled into the interpreter: no file replaces them.
const BUILT_IN: &str = "sys time math itertools binascii";

/// Attributes that only compute, read or print, whatever listed module they belong to.
const ATTRIBUTES: &str = "path argv version version_info platform executable maxsize byteorder stdin stdout stderr exit getsizeof \
    getrecursionlimit hexversion implementation prefix base_prefix flags getdefaultencoding getfilesystemencoding float_info \
    load loads dump dumps get keys values items append extend sort reverse pop count index find rfind split rsplit splitlines \
    partition rpartition strip lstrip rstrip join format upper lower title capitalize casefold swapcase startswith endswith isdigit \
    isalpha isalnum isspace isupper islower isnumeric zfill ljust rjust center encode decode translate maketrans expandtabs \
    removeprefix removesuffix read readline readlines close search match fullmatch findall finditer sub subn compile escape \
    group groups groupdict start end span IGNORECASE I MULTILINE M DOTALL S VERBOSE X now today utcnow strftime strptime isoformat \
    timestamp fromtimestamp utcfromtimestamp fromisoformat date time datetime timedelta timezone utc UTC year month day hour minute \
    second microsecond days seconds total_seconds weekday isoweekday isocalendar astimezone perf_counter monotonic process_time \
    time_ns sleep ctime localtime gmtime sqrt pi e tau ceil floor trunc log log2 log10 log1p exp pow sin cos tan asin acos atan \
    atan2 factorial gcd lcm comb perm prod inf nan isclose isnan isinf hypot radians degrees fabs fmod isqrt Counter defaultdict \
    OrderedDict namedtuple deque most_common elements chain from_iterable product permutations combinations groupby islice \
    accumulate cycle zip_longest repeat starmap takewhile dropwhile pairwise reduce partial lru_cache cache itemgetter \
    md5 sha1 sha224 sha256 sha384 sha512 sha3_256 blake2b blake2s hexdigest digest update algorithms_available b64encode b64decode \
    urlsafe_b64encode urlsafe_b64decode b32encode b32decode b16encode hexlify unhexlify fromhex hex quote unquote quote_plus \
    unquote_plus urlencode urlparse urlsplit urlunparse urljoin parse_qs parse_qsl netloc scheme hostname port query fragment \
    unescape uuid4 uuid1 uuid5 uuid3 UUID NAMESPACE_DNS choice choices randint randrange random sample shuffle seed uniform gauss \
    token_hex token_urlsafe token_bytes mean median stdev mode variance pstdev Decimal Fraction quantize machine release node \
    processor python_version uname architecture mac_ver python_implementation platform pformat pprint indent dedent wrap fill \
    shorten ascii_letters ascii_lowercase ascii_uppercase digits punctuation whitespace hexdigits exists isfile isdir getsize \
    basename dirname splitext abspath realpath expanduser expandvars normpath relpath isabs islink getmtime commonpath commonprefix \
    getcwd listdir environ getenv getpid getppid cpu_count sep linesep pathsep curdir walk scandir stat lstat st_size st_mode \
    st_mtime st_ino st_uid name getlogin getuid geteuid getgid access R_OK W_OK X_OK F_OK glob rglob iglob iterdir read_text \
    read_bytes is_file is_dir is_symlink stem suffix suffixes parent parents parts resolve absolute with_suffix with_name \
    relative_to joinpath as_posix cwd home reader DictReader fieldnames line_num ElementTree parse fromstring getroot iter text tag \
    attrib findtext literal_eval metadata distribution distributions requires calcsize unpack pack gethostname getfqdn Path PurePath \
    PurePosixPath calendar monthrange isleap  category normalize lookup nlargest nsmallest heapify heappush \
    heappop bisect_left bisect_right iskeyword kwlist crc32 adler32 get_paths getsitepackages get_python_version signature \
    parameters real imag numerator denominator bit_length to_bytes from_bytes isidentifier __version__ __file__ __name__ __doc__ \
    unified_diff ndiff get_close_matches SequenceMatcher ratio ip_address ip_network num_addresses hosts is_private deepcopy copy \
    Any List Dict Optional abc etree importlib xml urllib mul add truediv JSONDecodeError";

/// Attributes of a table that a package has read, and of the chains that begin with a package.
const OF_TABLES: &str = "head tail describe shape columns dtypes info value_counts iloc loc isnull isna notna nunique unique nrows \
    tolist to_dict groupby sort_values mean median std dropna fillna is_available device_count get_device_name is_built cuda \
    version mps cudnn reset_index T corr quantile idxmax idxmin len schema height width";

/// Names that lead to any code, however they are bound.
const FORBIDDEN: &str = "eval exec compile __import__ getattr setattr delattr globals locals vars breakpoint help memoryview input class";

pub(super) fn is_pure(code: &[Token], is_shadowed: &dyn Fn(&str) -> bool) -> bool {
    let Some(bound) = Bound::of(code, is_shadowed) else { return false };
    bound.permits(code)
}

/// The names that code binds, and the modules it imports.
struct Bound<'c> {
    names: Vec<&'c str>,
    modules: Vec<String>,
    /// Names of packages, of which hardly anything is used.
    installed: Vec<String>,
}

impl<'c> Bound<'c> {
    /// Returns `None` if a module or something out of one is not listed.
    fn of(code: &'c [Token], is_shadowed: &dyn Fn(&str) -> bool) -> Option<Self> {
        let mut bound = Self { names: Vec::new(), modules: Vec::new(), installed: Vec::new() };
        for at in 0..code.len() {
            match name_at(code, at) {
                Some("import") => bound.imports(code, at, is_shadowed)?,
                Some("for") => bound.until(code, at + 1, |name| name == "in", '\n'),
                Some("lambda") => bound.until(code, at + 1, |_| false, ':'),
                Some("as") => bound.names.extend(name_at(code, at + 1)),
                Some("def") => bound.until(code, at + 1, |_| false, ')'),
                Some(name) if is_mark(code, at + 1, ':') && is_mark(code, at + 2, '=') => {
                    bound.names.push(name);
                }
                Some(_) | None => {}
            }
            let compares = at > 0 && matches!(code[at - 1], Token::Mark('=' | '<' | '>' | '!'))
                || is_mark(code, at + 1, '=');
            if is_mark(code, at, '=') && !compares {
                bound.targets(code, at);
            }
        }
        Some(bound)
    }

    /// Binds the names up to a word or a mark.
    fn until(&mut self, code: &'c [Token], from: usize, is_end: impl Fn(&str) -> bool, end: char) {
        for at in from..code.len() {
            match name_at(code, at) {
                Some(name) if is_end(name) => return,
                Some(name) => self.names.push(name),
                None if is_mark(code, at, end) => return,
                None => {}
            }
        }
    }

    /// Binds `a, (b, c)` in front of an equals sign.
    fn targets(&mut self, code: &'c [Token], equals: usize) {
        for at in (0..equals).rev() {
            match &code[at] {
                Token::Name(name) if !is_attribute(code, at) && !is_in(KEYWORDS, name) => {
                    self.names.push(name);
                }
                Token::Mark(',' | '(' | ')' | '*' | '+' | '-' | '/' | '|') => {}
                _ => return,
            }
        }
    }

    /// `import a, b.c as d` and `from a.b import c as d`.
    fn imports(&mut self, code: &'c [Token], at: usize, is_shadowed: &dyn Fn(&str) -> bool) -> Option<()> {
        let begin = (0..at)
            .rev()
            .find(|at| matches!(code[*at], Token::Mark(';' | '\n' | ':')))
            .map_or(0, |before| before + 1);
        let is_from = name_at(code, begin) == Some("from");
        if is_from {
            self.module(&dotted(&code[begin + 1..at]), is_shadowed)?;
        }
        let end = code[at..]
            .iter()
            .position(|token| matches!(token, Token::Mark(';' | '\n')))
            .map_or(code.len(), |length| at + length);
        for part in code[at + 1..end].split(|token| *token == Token::Mark(',')) {
            let part: Vec<Token> =
                part.iter().filter(|token| !matches!(token, Token::Mark('(' | ')'))).cloned().collect();
            let alias = part.iter().position(|token| matches!(token, Token::Name(name) if name == "as"));
            let named = dotted(&part[..alias.unwrap_or(part.len())]);
            if is_from && !is_in(ATTRIBUTES, &named) {
                return None;
            }
            if !is_from && is_in(INSTALLED, &named) && !is_shadowed(&named) {
                let bound = alias.and_then(|alias| name_at(&part, alias + 1)).unwrap_or(&named);
                self.installed.push(bound.to_owned());
            } else if !is_from {
                self.module(&named, is_shadowed)?;
            }
        }
        for at in at + 1..end {
            self.names.extend(name_at(code, at));
        }
        Some(())
    }

    fn module(&mut self, name: &str, is_shadowed: &dyn Fn(&str) -> bool) -> Option<()> {
        let top = name.split('.').next().unwrap_or(name);
        if !is_in(MODULES, name) || !is_in(BUILT_IN, top) && is_shadowed(top) {
            return None;
        }
        self.modules.push(top.to_owned());
        Some(())
    }

    fn permits(&self, code: &[Token]) -> bool {
        (0..code.len()).all(|at| match &code[at] {
            Token::Name(name) if is_attribute(code, at) => self.permits_attribute(code, at, name),
            Token::Name(name) => self.permits_name(code, at, name),
            Token::Text { text, code: is_code, expands } => !is_code && (!expands || self.permits_text(text)),
            Token::Number(_) => true,
            Token::Mark(mark) => *mark != '`',
        })
    }

    fn permits_name(&self, code: &[Token], at: usize, name: &str) -> bool {
        if is_in(FORBIDDEN, name) || name.starts_with("__") && name != "__name__" {
            return false;
        }
        // Code that passes the package itself on could call all of it.
        if self.installed.iter().any(|package| package == name) {
            let before = at.checked_sub(1).and_then(|before| name_at(code, before));
            return is_mark(code, at + 1, '.') || matches!(before, Some("import" | "as"));
        }
        if name == "open" {
            return arguments(Language::Python, code, at + 1).is_some_and(reads_only);
        }
        is_in(KEYWORDS, name)
            || is_in(FUNCTIONS, name)
            || self.names.contains(&name)
            || self.modules.iter().any(|module| module == name)
    }

    fn permits_attribute(&self, code: &[Token], at: usize, name: &str) -> bool {
        let owner = at.checked_sub(2).and_then(|owner| name_at(code, owner));
        let has = |module: &str| self.modules.iter().any(|known| known == module);
        let is_installed = |owner: &str| self.installed.iter().any(|package| package == owner);
        if owner.is_some_and(is_installed) && !is_attribute(code, at - 2) {
            return is_in(OF_INSTALLED, name);
        }
        match name {
            // Of texts and lists; of files with these modules.
            "replace" | "remove" | "rename" => !has("os") && !has("pathlib"),
            "write" | "flush" | "writelines" | "buffer" => {
                matches!(owner, Some("stdout" | "stderr" | "stdin" | "buffer"))
            }
            // The operating system's name.
            "system" => owner == Some("platform") && has("platform") && !has("os"),
            // Modules imported afterwards could come from elsewhere.
            "path" if owner == Some("sys") => !code[at..].contains(&Token::Name("import".to_owned())),
            _ => is_in(ATTRIBUTES, name) || !self.installed.is_empty() && is_in(OF_TABLES, name),
        }
    }

    /// The expressions between braces of a formatted text.
    fn permits_text(&self, text: &str) -> bool {
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            rest = &rest[open + 1..];
            if let Some(behind) = rest.strip_prefix('{') {
                rest = behind;
                continue;
            }
            let Some(close) = rest.find('}') else { return false };
            let (expression, behind) = rest.split_at(close);
            if expression.contains('{')
                || !self.permits(&tokens(Language::Python, without_format(expression)))
            {
                return false;
            }
            rest = &behind[1..];
        }
        true
    }
}

/// `x:>10` without what stands behind the colon; colons in brackets are slices.
fn without_format(expression: &str) -> &str {
    let mut depth = 0usize;
    for (at, byte) in expression.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b':' | b'!' if depth == 0 && !expression[at + 1..].starts_with('=') => return &expression[..at],
            _ => {}
        }
    }
    expression
}

/// Returns whether the arguments of `open` ask for reading.
fn reads_only(arguments: &[Token]) -> bool {
    split(arguments).into_iter().enumerate().all(|(index, argument)| match argument {
        [Token::Name(keyword), Token::Mark('='), value @ ..] => match keyword.as_str() {
            "mode" => is_reading_mode(value),
            "encoding" | "errors" | "newline" | "buffering" => true,
            _ => false,
        },
        value if index == 1 => is_reading_mode(value),
        _ => true,
    })
}

fn is_reading_mode(value: &[Token]) -> bool {
    matches!(value, [Token::Text { text, .. }] if matches!(text.as_str(), "r" | "rb" | "rt" | "br" | "rU"))
}

fn dotted(tokens: &[Token]) -> String {
    let mut name = String::new();
    for token in tokens {
        match token {
            Token::Name(part) => name.push_str(part),
            Token::Mark(mark) => name.push(*mark),
            Token::Text { .. } | Token::Number(_) => name.push('?'),
        }
    }
    name
}

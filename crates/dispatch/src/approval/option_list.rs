//! The programs of which an approved command may consist, each with the options that it may have.
//!
//! INVARIANT: an option that is not listed makes the command unproven. WHY a list besides the reading's class: a program
//! may change nothing and still show what is not the workspace's, read the names of its files from a file, or start
//! another program; and of a new option nothing is known.

use shell::Simple;

/// The options of each program. `n` is a flag, `n=` an option with a value, `n?` one whose value must be attached, `#` a
/// number (`-5`), `--name==` an option with two values; `*` means that words with a dash are nothing but words.
const PROGRAMS: &[(&str, &str)] = &[
    ("[", "*"),
    ("ack", "i l c w v n s h H A= B= C= Q --ignore-case --literal --word-regexp"),
    ("ag", "i l c w v s S A= B= C= F Q --ignore-case --literal --word-regexp --nogroup --nocolor"),
    ("arch", ""),
    ("awk", AWK),
    ("b2sum", SUM),
    ("base64", "d D i w= --decode --ignore-garbage --wrap="),
    ("basename", "a s= z --multiple --suffix= --zero"),
    (
        "bat",
        "n p P A l= r= H= --plain --number --show-all --language= --line-range= --highlight-line= --style= --color= --decorations= --theme=",
    ),
    ("cal", "1 3 y j m s w #"),
    (
        "cat",
        "n b s A E T v e t u --number --number-nonblank --squeeze-blank --show-all --show-ends --show-tabs --show-nonprinting",
    ),
    ("cd", "P L"),
    ("cksum", "a= b z --algorithm= --untagged --tag --zero"),
    ("cmp", "b l s n= i= --print-bytes --bytes= --verbose --silent --quiet --ignore-initial="),
    ("column", "t x J s= c= n= o= N= R= H= --table --json --separator= --output-width= --table-columns="),
    ("comm", "1 2 3 i z --check-order --nocheck-order --output-delimiter= --total --zero-terminated"),
    ("command", "v V p"),
    (
        "cut",
        "b= c= d= f= n s z --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter= --zero-terminated",
    ),
    ("date", "u R I? d= r= --utc --universal --date= --reference= --iso-8601? --rfc-3339= --rfc-email"),
    (
        "diff",
        "u U= c C= y q r i w b B s N E Z W= a d e n t T p F= l I= L= x= --unified? --context? --brief --recursive --ignore-case --ignore-all-space --ignore-space-change --ignore-trailing-space --ignore-blank-lines --ignore-matching-lines= --side-by-side --width= --suppress-common-lines --color? --new-file --text --minimal --report-identical-files --label= --exclude= --strip-trailing-cr --normal --no-dereference --show-c-function",
    ),
    ("df", "h H T k m i P a l --human-readable --si --print-type --inodes --portability"),
    ("dirname", "z --zero"),
    (
        "du",
        "s h a c d= b k m S x 0 t= --summarize --human-readable --all --total --max-depth= --bytes --apparent-size --exclude= --si --time? --threshold= --separate-dirs --one-file-system --null --inodes",
    ),
    ("echo", "*"),
    ("egrep", GREP),
    ("expand", "i t= --initial --tabs="),
    ("expr", "*"),
    ("false", "*"),
    (
        "fd",
        "e= t= H I d= g i s a p 0 E= c= S= F --extension= --type= --hidden --no-ignore --no-ignore-vcs --max-depth= --min-depth= --exact-depth= --glob --regex --ignore-case --case-sensitive --absolute-path --full-path --print0 --exclude= --color= --size= --changed-within= --changed-before= --max-results= --fixed-strings --strip-cwd-prefix",
    ),
    ("fgrep", GREP),
    ("file", "b i k N n r 0 --brief --mime --mime-type --mime-encoding --no-pad --print0 --keep-going"),
    ("fmt", "c s u t w= g= # --width= --goal= --split-only --uniform-spacing"),
    ("fold", "b s w= --bytes --spaces --width="),
    ("free", "h b k m g t w --human --bytes --kibi --mebi --gibi --total --wide"),
    ("gawk", AWK),
    ("grep", GREP),
    ("groups", ""),
    ("head", "n= c= q v z # --lines= --bytes= --quiet --silent --verbose --zero-terminated"),
    ("hexdump", "C b c d o x v n= s= --canonical --length= --skip="),
    ("hostname", "s --short"),
    ("iconv", "f= t= c s l --from-code= --to-code= --list"),
    ("id", "u g G n r --user --group --groups --name --real"),
    ("join", "a= e= i j= o= t= v= 1= 2= z --header --ignore-case --check-order --nocheck-order"),
    (
        "jq",
        "r c n s e S M C j a R --raw-output --raw-output0 --compact-output --null-input --slurp --exit-status --sort-keys --monochrome-output --color-output --tab --indent= --raw-input --join-output --ascii-output --arg== --argjson== --args --jsonargs --stream --seq",
    ),
    (
        "ls",
        "a A l h t r R S 1 d F i s n o g p q u c U X v x C m b B k G f Q N Z T= w= I= --all --almost-all --human-readable --recursive --reverse --size --sort= --time= --time-style= --color? --directory --classify? --inode --group-directories-first --full-time --si --file-type --format= --width= --hide= --ignore= --no-group --numeric-uid-gid --author --block-size= --escape --quote-name --literal --hyperlink? --zero",
    ),
    ("mawk", AWK),
    ("md5sum", SUM),
    (
        "nl",
        "b= n= w= s= v= i= p h= f= d= l= --body-numbering= --number-format= --number-width= --number-separator= --starting-line-number= --line-increment= --no-renumber",
    ),
    ("nproc", "--all --ignore="),
    (
        "numfmt",
        "d= --to= --from= --suffix= --format= --padding= --field= --grouping --header? --delimiter= --round= --to-unit= --from-unit= --invalid=",
    ),
    (
        "od",
        "A= t= N= j= S= w? c x d o b v a i l f h --format= --address-radix= --read-bytes= --skip-bytes= --output-duplicates --width?",
    ),
    ("paste", "d= s z --delimiters= --serial --zero-terminated"),
    (
        "pr",
        "t d l= w= m h= T a F # --omit-header --columns= --length= --width= --double-space --header= --merge",
    ),
    ("printf", "*"),
    ("pwd", "L P"),
    (
        "readlink",
        "f e m n z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --zero",
    ),
    (
        "realpath",
        "e m s z q L P --canonicalize-existing --canonicalize-missing --relative-to= --relative-base= --no-symlinks --strip --quiet --zero --logical --physical",
    ),
    ("rev", ""),
    (
        "rg",
        "n N i s S l c w x v o e= F P U A= B= C= m= t= T= g= d= H h I 0 q a u . r= j= M= --line-number --no-line-number --ignore-case --case-sensitive --smart-case --files --files-with-matches --files-without-match --count --count-matches --word-regexp --line-regexp --invert-match --only-matching --regexp= --fixed-strings --pcre2 --multiline --multiline-dotall --after-context= --before-context= --context= --context-separator= --max-count= --type= --type-not= --type-list --glob= --iglob= --max-depth= --with-filename --no-filename --null --quiet --text --hidden --no-ignore --no-ignore-vcs --no-ignore-parent --no-ignore-dot --unrestricted --replace= --threads= --max-columns= --max-columns-preview --color= --colors= --heading --no-heading --column --no-column --trim --stats --sort= --sortr= --json --vimgrep --no-messages --no-config --passthru --pretty p --max-filesize= --one-file-system --glob-case-insensitive --no-hidden --crlf --no-unicode --field-match-separator= --byte-offset b",
    ),
    (
        "sed",
        "n E r e= s z u l= i? --quiet --silent --regexp-extended --expression= --null-data --separate --unbuffered --in-place? --posix --sandbox --line-length=",
    ),
    ("seq", "w s= f= # --equal-width --separator= --format="),
    ("set", "e u E o="),
    ("sha1sum", SUM),
    ("sha224sum", SUM),
    ("sha256sum", SUM),
    ("sha384sum", SUM),
    ("sha512sum", SUM),
    ("shasum", "a= b t p --algorithm= --binary --text --portable"),
    ("shuf", "n= e i= r z --head-count= --echo --input-range= --repeat --zero-terminated"),
    ("sleep", ""),
    (
        "sort",
        "n r u k= t= f b d g h M V R s c C m z i --numeric-sort --reverse --unique --key= --field-separator= --ignore-case --human-numeric-sort --version-sort --general-numeric-sort --stable --check? --merge --zero-terminated --parallel= --debug --month-sort --random-sort --dictionary-order --ignore-leading-blanks --sort=",
    ),
    ("stat", "c= f t --format= --printf= --terse --file-system"),
    ("strings", "a n= t= e= f o # --bytes= --radix= --all --print-file-name --encoding="),
    ("tac", "b r s= --before --regex --separator="),
    ("tail", "n= c= q v z # --lines= --bytes= --quiet --silent --verbose --zero-terminated"),
    ("test", "*"),
    ("time", "p"),
    ("timeout", "k= s= v --kill-after= --signal= --preserve-status --foreground --verbose"),
    ("tokei", "e= t= f s= o= C --files --sort= --exclude= --type= --output= --hidden --compact"),
    ("tr", "d s c C t --delete --squeeze-repeats --complement --truncate-set1"),
    (
        "tree",
        "a d f i L= P= I= h s D t r p u g F C n J X Q v --noreport --dirsfirst --filesfirst --gitignore --prune --filelimit= --du --si --charset= --matchdirs --ignore-case --inodes --device --sort= --timefmt=",
    ),
    ("true", "*"),
    ("tsort", ""),
    ("type", "t a p P f"),
    (
        "uname",
        "a s n r v m p i o --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system",
    ),
    ("unexpand", "a t= --all --first-only --tabs="),
    (
        "uniq",
        "c d u i D z f= s= w= --count --repeated --unique --ignore-case --skip-fields= --skip-chars= --check-chars= --zero-terminated --all-repeated? --group?",
    ),
    ("uptime", "p s --pretty --since"),
    ("wc", "l w c m L --lines --words --bytes --chars --max-line-length --total="),
    ("which", "a s --all"),
    ("whoami", ""),
    (
        "xargs",
        "0 n= I= L= P= r t d= s= x E= i? l? e? --null --max-args= --replace? --max-lines? --max-procs= --no-run-if-empty --verbose --delimiter= --max-chars= --exit",
    ),
    ("xxd", "c= l= s= g= p u b e i a d E --plain --cols= --len= --seek="),
    (
        "yq",
        "r e P o= p= n N C M I= j y S c --prettyPrint --output-format= --input-format= --unwrapScalar? --raw-output --null-input --colors --no-colors --exit-status --no-doc --indent= --compact-output",
    ),
    ("zcat", "f"),
    ("zgrep", GREP),
    // These write the files that their words name, and nothing else. A copy of a folder writes files that no word names.
    (
        "cp",
        "p f n v u T i d P t= --preserve? --no-clobber --force --verbose --update? --target-directory= --no-target-directory",
    ),
    ("mkdir", "p v m= --parents --verbose --mode="),
    ("tee", "a i --append --ignore-interrupts"),
    ("touch", "a c m d= t= r= --date= --no-create --reference= --time="),
];

const AWK: &str = "F= v= --field-separator= --assign= --posix --traditional --re-interval";

const SUM: &str = "b t z l= --binary --text --tag --zero --length=";

const GREP: &str = "n i r R l L c v w x o E F P G h H s q a I A= B= C= e= m= b z y Z U T # --line-number --ignore-case --no-ignore-case --recursive --dereference-recursive --files-with-matches --files-without-match --count --invert-match --word-regexp --line-regexp --only-matching --extended-regexp --fixed-strings --perl-regexp --basic-regexp --no-filename --with-filename --no-messages --quiet --silent --text --after-context= --before-context= --context= --regexp= --max-count= --include= --exclude= --exclude-dir= --color? --colour? --binary-files= --byte-offset --null --null-data --initial-tab --label=";

/// Returns whether a command consists of a listed program and listed options. `git` and `find` have lists of their own.
pub(super) fn permits(command: &Simple) -> bool {
    let Some((_, options)) = PROGRAMS.iter().find(|(program, _)| *program == command.program) else {
        return false;
    };
    let words: Vec<&str> = command.argv.iter().skip(1).map(|word| word.text.as_str()).collect();
    matches(options, &words) && !has_odd_word(&command.program, &words)
}

/// Returns the words of a command in order; `None` if it has an option that is not listed.
pub(super) fn sorted_words(command: &Simple) -> Option<Sorted<'_>> {
    let (_, options) = PROGRAMS.iter().find(|(program, _)| *program == command.program)?;
    let words: Vec<&str> = command.argv.iter().skip(1).map(|word| word.text.as_str()).collect();
    sorted(options, &words)
}

/// The words of a command without its listed options, and the options.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sorted<'w> {
    /// The options as listed, without a value: `n`, `--stat`.
    pub(super) options: Vec<String>,
    /// The values of options.
    pub(super) values: Vec<(String, &'w str)>,
    /// The other words.
    pub(super) operands: Vec<&'w str>,
    /// How many operands are in front of `--`; `None` without it.
    pub(super) n_in_front: Option<usize>,
}

/// Returns whether all options among the words are listed.
fn matches(options: &str, words: &[&str]) -> bool {
    options == "*" || sorted(options, words).is_some()
}

/// Sorts words into options and operands; `None` if an option is not listed.
pub(super) fn sorted<'w>(options: &str, words: &[&'w str]) -> Option<Sorted<'w>> {
    let listed = |name: &str, mark: &str| {
        options.split_whitespace().any(|option| option.strip_prefix(name) == Some(mark))
    };
    let mut found = Sorted::default();
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        if word == "--" {
            found.n_in_front = Some(found.operands.len());
            found.operands.extend(words);
            return Some(found);
        }
        if let Some(long) = word.strip_prefix("--") {
            let (name, value) =
                long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            let name = format!("--{name}");
            match value {
                Some(value) if listed(&name, "=") || listed(&name, "?") => {
                    found.values.push((name.clone(), value));
                }
                None if listed(&name, "=") => found.values.push((name.clone(), words.next()?)),
                None if listed(&name, "==") => {
                    words.next()?;
                    found.values.push((name.clone(), words.next()?));
                }
                None if listed(&name, "") || listed(&name, "?") => {}
                _ => return None,
            }
            found.options.push(name);
            continue;
        }
        let Some(cluster) = word.strip_prefix('-').filter(|cluster| !cluster.is_empty()) else {
            found.operands.push(word);
            continue;
        };
        if cluster.bytes().all(|byte| byte.is_ascii_digit()) && options.split_whitespace().any(|it| it == "#")
        {
            found.options.push("#".to_owned());
            continue;
        }
        for (at, letter) in cluster.char_indices() {
            let name = letter.to_string();
            let rest = &cluster[at + letter.len_utf8()..];
            found.options.push(name.clone());
            if listed(&name, "=") {
                let value = if rest.is_empty() { words.next()? } else { rest };
                found.values.push((name, value));
                break;
            }
            if listed(&name, "?") {
                found.values.push((name, rest));
                break;
            }
            if !listed(&name, "") {
                return None;
            }
        }
    }
    Some(found)
}

/// Returns whether a word without a dash, or the value of an option, has a meaning that the list does not show.
fn has_odd_word(program: &str, words: &[&str]) -> bool {
    let number = |word: &str| word.trim_end_matches(['s', 'm']).parse::<f64>();
    let is_operand = |word: &&&str| !word.starts_with('-');
    match program {
        // A file with more words.
        "strings" => words.iter().any(|word| word.starts_with('@')),
        // The names of copies that an edit leaves behind.
        "sed" => words.iter().any(|word| {
            let suffix = word.strip_prefix("--in-place=").or_else(|| {
                let cluster = word.strip_prefix('-').filter(|cluster| !cluster.starts_with('-'))?;
                cluster.find('i').map(|at| &cluster[at + 1..])
            });
            suffix.is_some_and(|suffix| suffix.contains(['/', '*']))
        }),
        // Whether a variable has a value, and the one way to set one.
        "test" | "[" => words.iter().any(|word| matches!(*word, "-v" | "-R")),
        "printf" => words.first().is_some_and(|word| word.starts_with("-v")),
        // Alone it shows every variable, and a word without a dash becomes one.
        "set" => {
            const SET: [&str; 3] = ["pipefail", "errexit", "nounset"];
            words.is_empty() || words.iter().filter(is_operand).any(|word| !SET.contains(word))
        }
        // Another user, another name of the machine, every file system.
        "id" | "groups" | "hostname" | "uptime" => words.iter().any(|word| !word.starts_with('-')),
        "df" => !words.iter().any(|word| !word.starts_with('-')),
        "sleep" => {
            !words.iter().all(|word| number(word).is_ok_and(|seconds| (0.0..=3600.0).contains(&seconds)))
        }
        _ => false,
    }
}

/// The words of an expression of `find`; those that end in `=` have a value.
const FIND: &str = "-name= -iname= -path= -ipath= -wholename= -iwholename= -regex= -iregex= -regextype= -type= -xtype= -maxdepth= -mindepth= -size= -mtime= -mmin= -atime= -amin= -ctime= -cmin= -newer= -newermt= -perm= -links= -printf= -not -o -or -a -and -prune -print -print0 -ls -empty -quit -depth -d -xdev -mount -true -false -readable -writable -executable -daystart -nouser -nogroup -H -P ! ( )";

/// Returns whether a command is a search for files by names and times that follows no links. A command that it runs for
/// each file is judged by itself.
pub(super) fn permits_find(command: &Simple) -> bool {
    let listed = |word: &str, mark: &str| FIND.split(' ').any(|known| known.strip_prefix(word) == Some(mark));
    let mut words = command.argv.iter().skip(1).map(|word| word.text.as_str());
    while let Some(word) = words.next() {
        if !word.starts_with('-') && !matches!(word, "!" | "(" | ")") || listed(word, "") {
            continue;
        }
        let is_value = match word {
            "-exec" | "-execdir" => words.any(|word| matches!(word, ";" | "+")),
            word => listed(word, "=") && words.next().is_some(),
        };
        if !is_value {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_as_programs_read_them() {
        for (options, line, expected) in [
            ("n= q #", "-n 5 a", true),
            ("n= q #", "-n5 -q a", true),
            ("n= q #", "-qn 5 a", true),
            ("n= q #", "-5 a", true),
            ("n= q #", "-f a", false),
            ("n= q #", "-qf a", false),
            ("n= q #", "-n", false),
            ("--lines= --color? --all", "--lines 5 --color --all", true),
            ("--lines= --color? --all", "--lines=5 --color=never", true),
            ("--lines= --color? --all", "--line=5", false),
            ("--lines= --color? --all", "--all=5", false),
            ("--arg==", "--arg a b .", true),
            ("--arg==", "--arg a", false),
            ("", "-- -x", true),
            ("", "- a", true),
            ("", "-x", false),
        ] {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(matches(options, &words), expected, "{options} / {line}");
        }
    }

    #[test]
    fn values_and_operands_are_told_apart() {
        let found = sorted("p n= --stat? #", &["-3", "-pn", "5", "--stat=80", "HEAD", "--", "a"]).unwrap();
        assert_eq!(found.options, ["#", "p", "n", "--stat"]);
        assert_eq!(found.values, [("n".to_owned(), "5"), ("--stat".to_owned(), "80")]);
        assert_eq!(found.operands, ["HEAD", "a"]);
        assert_eq!(found.n_in_front, Some(1));
    }

    #[test]
    fn the_list_is_in_order_and_names_a_program_once() {
        let names: Vec<&str> = PROGRAMS.iter().map(|(program, _)| *program).collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(names.len(), sorted.len());
    }
}

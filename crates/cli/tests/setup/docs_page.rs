//! The pages of the documentation, as the blocks that readers paste or run.
//!
//! The words after the language of a fenced block say what it is:
//!
//! - `LANGUAGE file PATH`: a file. An HTML comment `first: COMMAND` or `then: COMMAND` above it is a command that the page asks
//!   for before or after.
//! - `console run`: commands after `$`, each with its output below.
//! - `console`: commands that a test cannot run, because they wait, need a network or a file that only a reader has.
//! - `text`: an excerpt of a file.

use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A page with its blocks.
pub(crate) struct Page {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) blocks: Vec<Block>,
}

/// A fenced block and its line.
pub(crate) struct Block {
    pub(crate) line: usize,
    pub(crate) kind: Kind,
}

pub(crate) enum Kind {
    File(PastedFile),
    Run(Vec<Command>),
}

/// A file that readers paste.
pub(crate) struct PastedFile {
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) first: Vec<String>,
    pub(crate) then: Vec<String>,
}

/// A command and the output below it.
pub(crate) struct Command {
    pub(crate) line: usize,
    pub(crate) text: String,
    pub(crate) output: Vec<String>,
}

/// Returns the pages of the documentation and the README.
pub(crate) fn all() -> Vec<Page> {
    let entries = fs::read_dir(Path::new(ROOT).join("docs")).unwrap();
    let mut pages: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|it| it == "md"));
    pages.push(Path::new(ROOT).join("README.md"));
    pages.sort();
    pages.iter().map(|path| Page::read(path)).collect()
}

impl Page {
    fn read(path: &Path) -> Self {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        Self::parse(name, fs::read_to_string(path).unwrap()).unwrap_or_else(|problem| panic!("{problem}"))
    }

    /// Reads a page. Returns the problem of a block that says neither where it goes nor that it is only shown.
    fn parse(name: String, text: String) -> Result<Self, String> {
        let mut blocks = Vec::new();
        let (mut first, mut then) = (Vec::new(), Vec::new());
        let mut lines = text.lines().enumerate();
        while let Some((n, line)) = lines.next() {
            let comment = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->"));
            match comment.and_then(|comment| comment.split_once(": ")) {
                Some(("first", command)) => first.push(command.to_owned()),
                Some(("then", command)) => then.push(command.to_owned()),
                _ => {}
            }
            let Some(info) = line.strip_prefix("```") else { continue };
            let body: Vec<(usize, &str)> =
                lines.by_ref().take_while(|(_, line)| !line.starts_with("```")).collect();
            let words: Vec<&str> = info.split_whitespace().collect();
            let (first, then) = (std::mem::take(&mut first), std::mem::take(&mut then));
            let kind = match words.as_slice() {
                [_, "file", path] => {
                    let text: String = body.iter().flat_map(|(_, line)| [*line, "\n"]).collect();
                    Kind::File(PastedFile { path: (*path).to_owned(), text, first, then })
                }
                ["console", "run"] => Kind::Run(commands(&body).map_err(|at| format!("{name}, {at}"))?),
                ["console"] => {
                    commands(&body).map_err(|at| format!("{name}, {at}"))?;
                    continue;
                }
                ["text"] => continue,
                _ => {
                    let place = n + 1;
                    return Err(format!(
                        "{name}, line {place}: say what `{line}` is: `LANGUAGE file PATH`, `console run`, `console` or `text`"
                    ));
                }
            };
            blocks.push(Block { line: n + 1, kind });
        }
        Ok(Self { name, text, blocks })
    }
}

/// Returns the commands of a block; a line that ends with `\` continues.
fn commands(block: &[(usize, &str)]) -> Result<Vec<Command>, String> {
    let mut commands: Vec<Command> = Vec::new();
    for (n, line) in block {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(text), _) => {
                commands.push(Command { line: n + 1, text: text.to_owned(), output: Vec::new() });
            }
            (None, Some(last)) if last.output.is_empty() && last.text.ends_with('\\') => {
                last.text.push('\n');
                last.text.push_str(line);
            }
            (None, Some(last)) => last.output.push((*line).to_owned()),
            (None, None) => return Err(format!("line {}: output without a command", n + 1)),
        }
    }
    Ok(commands)
}

#[test]
fn a_block_says_what_it_is() {
    let parse = |text: &str| Page::parse("p.md".to_owned(), text.to_owned());
    for block in ["```json\n{}\n```\n", "```\n$ ls\n```\n", "```console\nls\n```\n"] {
        assert!(parse(block).is_err(), "{block}");
    }
    let page =
        parse("```console run\n$ a \\\n  b\nc\n$ d\n```\n<!-- then: x y -->\n```json file a.json\n{}\n```\n");
    let page = page.unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(page.blocks.iter().map(|block| block.line).collect::<Vec<_>>(), [1, 8]);
    let (Kind::Run(run), Kind::File(file)) = (&page.blocks[0].kind, &page.blocks[1].kind) else {
        panic!("{}", page.text)
    };
    assert_eq!((run[0].text.as_str(), &run[0].output[..]), ("a \\\n  b", &["c".to_owned()][..]));
    assert_eq!(
        (file.path.as_str(), file.text.as_str(), &file.then[..]),
        ("a.json", "{}\n", &["x y".to_owned()][..])
    );
}

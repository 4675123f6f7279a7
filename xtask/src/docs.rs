//! `cargo xtask docs`: builds the documentation as a static site with a search, by mdBook.
//!
//! The pages lie in the site as they lie in the repository, so that the links between them hold.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::repo;
use crate::tidy::markdown;

/// The release of mdBook that builds the site.
const MDBOOK: &str = "0.5.4";

/// The pages besides the README and `docs/`, with their titles.
const FURTHER: [(&str, &str); 8] = [
    ("examples/automations/README.md", "Five automations that run offline"),
    ("examples/agents/README.md", "Three agents that run offline"),
    ("editors/vscode/README.md", "The extension for VS Code"),
    ("bench/README.md", "Measurements"),
    ("ARCHITECTURE.md", "Architecture"),
    ("CONVENTIONS.md", "Conventions"),
    ("CONTRIBUTING.md", "Contributing"),
    ("CHANGELOG.md", "Changelog"),
];

/// The settings of mdBook.
const BOOK: &str = "[book]\ntitle = \"steersman\"\nlanguage = \"en\"\nsrc = \"src\"\n\n[output.html]\nno-section-label = true\n\n[output.html.search]\nlimit-results = 20\n";

/// Builds the site below `target/book/`.
pub(crate) fn run(mut args: lexopt::Parser) -> Result<()> {
    if let Some(arg) = args.next()? {
        return Err(arg.unexpected().into());
    }
    let root = repo::root();
    let book = root.join("target/book");
    let src = book.join("src");
    if src.exists() {
        fs::remove_dir_all(&src)?;
    }
    let chapters = chapters(&root)?;
    for (page, _) in &chapters {
        copy(&root, &src, page)?;
        for file in linked_files(&root, page)? {
            if chapters.iter().all(|(chapter, _)| *chapter != file) {
                copy(&root, &src, &file)?;
            }
        }
    }
    fs::write(src.join("SUMMARY.md"), summary(&chapters)).context("cannot write SUMMARY.md")?;
    fs::write(book.join("book.toml"), BOOK).context("cannot write book.toml")?;
    repo::run(Command::new(mdbook(&root)?).arg("build").current_dir(&book))?;
    for (page, _) in &chapters {
        let built = book.join("book").join(html(page));
        if !built.is_file() {
            bail!("mdBook did not build `{}`", built.display());
        }
    }
    println!("{} pages: {}", chapters.len(), book.join("book/index.html").display());
    Ok(())
}

/// Returns the pages with their titles: the README, the pages that it lists in its order, those it does not list, the rest.
fn chapters(root: &Path) -> Result<Vec<(String, String)>> {
    let readme = fs::read_to_string(root.join("README.md")).context("cannot read README.md")?;
    let mut chapters = vec![("README.md".to_owned(), "steersman".to_owned())];
    // This table of the README is in the order in which a newcomer reads; links above it are not.
    let (_, list) = readme.split_once("## Documentation\n").context("README.md does not list the pages")?;
    let table: Vec<&str> = list.lines().filter(|line| line.starts_with('|')).collect();
    for link in markdown::links(&table.join("\n")) {
        let page = link.target.split('#').next().unwrap_or_default();
        if is_page(page) && chapters.iter().all(|(known, _)| known != page) {
            chapters.push((page.to_owned(), title(root, page)?));
        }
    }
    let mut others: Vec<String> = Vec::new();
    for entry in fs::read_dir(root.join("docs"))? {
        others.push(format!("docs/{}", entry?.file_name().to_string_lossy()));
    }
    others.sort();
    for page in others {
        if is_page(&page) && chapters.iter().all(|(known, _)| *known != page) {
            chapters.push((page.clone(), title(root, &page)?));
        }
    }
    chapters.extend(FURTHER.map(|(page, title)| (page.to_owned(), title.to_owned())));
    Ok(chapters)
}

fn is_page(path: &str) -> bool {
    path.starts_with("docs/") && Path::new(path).extension().is_some_and(|it| it == "md")
}

/// Returns the first heading of a page.
fn title(root: &Path, page: &str) -> Result<String> {
    let text = fs::read_to_string(root.join(page)).with_context(|| format!("cannot read `{page}`"))?;
    let heading = text.lines().find_map(|line| line.strip_prefix("# "));
    heading.map(str::to_owned).with_context(|| format!("`{page}` has no heading"))
}

fn summary(chapters: &[(String, String)]) -> String {
    let mut text = "# Summary\n\n".to_owned();
    for (index, (page, title)) in chapters.iter().enumerate() {
        let dash = if index == 0 { "" } else { "- " };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{dash}[{title}]({page})");
    }
    text
}

fn copy(root: &Path, src: &Path, path: &str) -> Result<()> {
    let to = src.join(path);
    let context = || format!("cannot copy `{path}`");
    fs::create_dir_all(to.parent().with_context(context)?).with_context(context)?;
    if Path::new(path).extension().is_none_or(|it| it != "md") {
        return fs::copy(root.join(path), to).map(drop).with_context(context);
    }
    let text = fs::read_to_string(root.join(path)).with_context(context)?;
    // mdBook builds a README as `index.html` and leaves the links to it as they are.
    let text = text.replace("/README.md", "/index.md").replace("](README.md", "](index.md");
    // The same for a link to a folder that has a README.
    let folders = FURTHER.iter().filter_map(|(page, _)| page.strip_suffix("/README.md"));
    let text = folders
        .fold(text, |text, folder| text.replace(&format!("/{folder})"), &format!("/{folder}/index.md)")));
    fs::write(to, text).with_context(context)
}

/// Returns the files of the repository to which a page links: pictures, examples, sources.
fn linked_files(root: &Path, page: &str) -> Result<Vec<String>> {
    let text = fs::read_to_string(root.join(page)).with_context(|| format!("cannot read `{page}`"))?;
    let folder = Path::new(page).parent().unwrap_or(Path::new(""));
    let mut files = Vec::new();
    let links = markdown::links(&text).into_iter().map(|link| link.target);
    // Pictures beside each other are HTML.
    let pictures = text.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned);
    for link in links.chain(pictures) {
        let target = link.split('#').next().unwrap_or_default();
        let Some(path) = normalized(&folder.join(target)) else { continue };
        if !target.is_empty() && !target.contains("://") && root.join(&path).is_file() {
            files.push(path);
        }
    }
    Ok(files)
}

/// Resolves `..` in a path of the repository. Returns `None` if it leads out of it.
fn normalized(path: &Path) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.iter().map(|part| part.to_str()) {
        match part? {
            "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns the name of a page in the site.
fn html(page: &str) -> String {
    page.replace("README.md", "index.md").replace(".md", ".html")
}

/// Returns the program, and installs it first if it is missing.
fn mdbook(root: &Path) -> Result<PathBuf> {
    let tools = root.join("target/mdbook");
    let program = tools.join("bin/mdbook");
    let is_current = program.is_file()
        && repo::output(Command::new(&program).arg("--version")).is_ok_and(|it| it.contains(MDBOOK));
    if !is_current {
        println!("installing mdBook {MDBOOK} below target/");
        let tools = tools.to_string_lossy();
        let args = ["install", "mdbook", "--locked", "--version", MDBOOK, "--root", &tools];
        let lean = ["--no-default-features", "--features", "search"];
        repo::run(&mut repo::cargo(&[&args[..], &lean].concat()))?;
    }
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_names_a_file_of_the_repository() {
        assert_eq!(normalized(Path::new("docs/../examples/a.mjs")).as_deref(), Some("examples/a.mjs"));
        assert_eq!(normalized(Path::new("docs/../../a")), None);
        let files = linked_files(&repo::root(), "docs/rules.md").unwrap();
        assert!(files.contains(&"examples/modules/no-force-push/hook.mjs".to_owned()), "{files:?}");
    }

    #[test]
    fn every_page_is_a_chapter_with_a_title_of_its_own() {
        let root = repo::root();
        let chapters = chapters(&root).unwrap();
        let n_pages = fs::read_dir(root.join("docs"))
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|it| it == "md"));
        assert_eq!(chapters.len(), n_pages.count() + 1 + FURTHER.len());
        for (index, (_, title)) in chapters.iter().enumerate() {
            assert!(chapters[index + 1..].iter().all(|(_, other)| other != title), "{title}");
        }
    }
}

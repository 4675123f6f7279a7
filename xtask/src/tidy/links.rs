//! Checks that every relative link in a Markdown file has a target, anchors included.

use std::collections::{BTreeMap, BTreeSet};

use super::file_tree::{self, File, has_extension};
use super::finding::Finding;
use super::markdown;

/// Finds links to files, folders and headings that do not exist.
pub(crate) fn check(files: &[File]) -> Vec<Finding> {
    let mut places: BTreeSet<&str> = BTreeSet::from([""]);
    for file in files {
        let mut place = file.path.as_str();
        places.insert(place);
        while let Some((folder, _)) = place.rsplit_once('/') {
            places.insert(folder);
            place = folder;
        }
    }
    let pages: BTreeMap<&str, &File> = files
        .iter()
        .filter(|file| has_extension(&file.path, "md") && !file_tree::is_fixture(&file.path))
        .map(|file| (file.path.as_str(), file))
        .collect();
    let mut findings = Vec::new();
    for page in pages.values() {
        for link in markdown::links(&page.text) {
            if let Some((what, hint)) = broken(page, &link.target, &places, &pages) {
                findings.push(Finding::new(&page.path, link.line, what, hint));
            }
        }
    }
    findings
}

fn broken(
    page: &File,
    target: &str,
    places: &BTreeSet<&str>,
    pages: &BTreeMap<&str, &File>,
) -> Option<(String, &'static str)> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let place = if path.is_empty() { Some(page.path.clone()) } else { resolve(&page.path, path) };
    let Some(place) = place.filter(|it| places.contains(it.as_str())) else {
        return Some((
            format!("link to `{path}`, which is not there"),
            "mend the path; it is relative to the page",
        ));
    };
    let linked = pages.get(place.as_str())?;
    if anchor.is_empty() || markdown::anchors(&linked.text).iter().any(|it| it == anchor) {
        return None;
    }
    let what = format!("link to `#{anchor}`, which is no heading of `{place}`");
    Some((what, "an anchor is the heading in lower case, without punctuation, with `-` for spaces"))
}

/// Returns the target of a link, relative to the root; `None` if it is outside.
fn resolve(page: &str, path: &str) -> Option<String> {
    let path = path.replace("%20", " ");
    let (from, path) = match path.strip_prefix('/') {
        Some(path) => ("", path),
        None => (page.rsplit_once('/').map_or("", |(folder, _)| folder), path.as_str()),
    };
    let mut parts: Vec<&str> = from.split('/').filter(|it| !it.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::briefly;

    fn check_link(link: &str, expected: &[&str]) {
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        let files = [
            file("docs/page.md", &format!("# Page\n\nSee [it]({link}).\n")),
            file("docs/other.md", "# Other\n## A heading, here\n"),
            file("src/lib.rs", "//! Lib.\n"),
        ];
        assert_eq!(briefly(&check(&files)), expected);
    }

    #[test]
    fn links_that_lead_somewhere_pass() {
        for link in [
            "other.md",
            "./other.md#a-heading-here",
            "#page",
            "../src/lib.rs#L1",
            "../src",
            "/src/lib.rs",
            "..",
            "https://x.example/gone.md",
            "mailto:a@b.example",
        ] {
            check_link(link, &[]);
        }
    }

    #[test]
    fn a_link_to_a_file_that_is_not_there_is_found() {
        check_link("gone.md", &["3: link to `gone.md`, which is not there"]);
        check_link("../../out.md", &["3: link to `../../out.md`, which is not there"]);
    }

    #[test]
    fn a_link_to_a_heading_that_is_not_there_is_found() {
        check_link("#pages", &["3: link to `#pages`, which is no heading of `docs/page.md`"]);
        check_link(
            "other.md#a-heading",
            &["3: link to `#a-heading`, which is no heading of `docs/other.md`"],
        );
    }
}

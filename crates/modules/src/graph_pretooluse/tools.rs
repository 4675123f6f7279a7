//! Unbounded calls of the hosts' own search, read and fetch tools.

use std::fs;
use std::path::Path;

use event::{Access, ToolCall};
use host::Reach;
use project_config::bounds::{Rule, Settings};
use session::recorded_input::short;

use super::Finding;
use crate::Context;
use crate::plan_graph_exec;

/// Returns the unbounded parts of a tool call.
pub(super) fn findings(context: &Context<'_>, call: &ToolCall, settings: &Settings) -> Vec<Finding> {
    let Some(reach) = host::reach(context.host, call) else { return Vec::new() };
    let tool = short(&call.name);
    let finding = |rule, text: String| Finding { rule, about: tool.clone().into_owned(), text };
    let mut findings = Vec::new();
    let mut bounds = |folders: &[String], limit: Option<u64>, ignored: bool| {
        let extent = Extent::of(context, folders);
        if extent == Extent::Everywhere {
            findings.push(finding(
                Rule::SearchEverywhere,
                format!("`{tool}` traverses `{}`", folders.join("`, `")),
            ));
        }
        if ignored && extent != Extent::Folder {
            findings.push(finding(
                Rule::SearchIgnored,
                format!("`{tool}` reads ignored files, too, in the whole workspace"),
            ));
        }
        if let Some(limit) = limit.filter(|limit| *limit > settings.max_results) {
            let asked = if limit == u64::MAX { "any number of".to_owned() } else { limit.to_string() };
            let text = format!("`{tool}` requests {asked} results; the limit is {}", settings.max_results);
            findings.push(finding(Rule::ResultLimit, text));
        }
        extent
    };
    match reach {
        Reach::Content { folders, includes, limit, ignored, lines } => {
            let extent = bounds(&folders, limit, ignored);
            let is_narrow = includes.iter().any(|include| include != "*" && !fits_all(include));
            if extent == Extent::Workspace && lines && limit.is_none() && !is_narrow {
                let text = format!("`{tool}` prints matching lines of the whole workspace");
                findings.push(finding(Rule::SearchWithoutInclude, text));
            }
        }
        Reach::Files { folders, patterns, limit, ignored } => {
            let extent = bounds(&folders, limit, ignored);
            let is_limited = limit.is_some_and(|limit| limit <= settings.max_results);
            if extent != Extent::Folder
                && !is_limited
                && let Some(pattern) = patterns.iter().find(|pattern| fits_all(pattern))
            {
                let text = format!("`{}` matches every file of the workspace", short(pattern));
                findings.push(finding(Rule::WildcardFiles, text));
            }
        }
        Reach::File { part: false } => {
            let files = call.touches.iter().filter(|touch| touch.access == Access::Read);
            let folder = context.folder();
            findings.extend(files.filter_map(|touch| large_file(folder.join(&touch.path), settings)));
        }
        Reach::File { part: true } => {}
        Reach::Pages { n_addresses, question } => {
            if n_addresses > settings.max_pages {
                let text = format!(
                    "`{tool}` fetches {n_addresses} pages at once; the limit is {}",
                    settings.max_pages
                );
                findings.push(finding(Rule::UnlimitedFetch, text));
            } else if !question {
                findings.push(finding(Rule::UnlimitedFetch, format!("`{tool}` returns complete pages")));
            }
        }
    }
    // A plan that narrows the call to a node bounds it.
    let is_bounded_by_plan = |finding: &Finding| {
        matches!(finding.rule, Rule::SearchWithoutInclude | Rule::WildcardFiles)
            && plan_graph_exec::narrows(context, call)
    };
    findings.retain(|finding| !is_bounded_by_plan(finding));
    findings
}

/// Returns the finding about a file that is too large to be read completely.
///
/// Images and documents are exempt: they have no lines to select.
pub(super) fn large_file(path: impl AsRef<Path>, settings: &Settings) -> Option<Finding> {
    const SHOWN: [&str; 9] = ["png", "jpg", "jpeg", "gif", "webp", "bmp", "ico", "pdf", "ipynb"];
    let path = path.as_ref();
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if SHOWN.iter().any(|shown| shown.eq_ignore_ascii_case(extension)) {
        return None;
    }
    let meta = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let kilobytes = meta.len() / 1024;
    (kilobytes > settings.max_file_kb).then(|| {
        let shown = path.to_string_lossy();
        let text = format!("`{}` has {kilobytes} KB and is read completely", short(&shown));
        Finding { rule: Rule::WholeFile, about: short(&shown).into_owned(), text }
    })
}

/// The reach of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// A folder that contains neither workspace nor home.
    Folder,
    Workspace,
    /// `/`, `~`, or around the workspace.
    Everywhere,
}

impl Extent {
    fn of(context: &Context<'_>, folders: &[String]) -> Self {
        let here = [String::new()];
        let folders = if folders.is_empty() { &here } else { folders };
        let root = context.workspace.root();
        let extent = |folder: &String| {
            let folder = folder.strip_prefix("~").filter(|_| context.home.is_some()).map_or_else(
                || context.folder().join(folder),
                |below| {
                    context
                        .home
                        .map_or_else(event::AbsPath::root, |home| home.join(below.trim_start_matches('/')))
                },
            );
            let is_around = |inner: &event::AbsPath| inner.below(&folder).is_ok();
            if folder == *root && root.parent().is_some() {
                Self::Workspace
            } else if is_around(root) || context.home.is_some_and(is_around) {
                Self::Everywhere
            } else {
                Self::Folder
            }
        };
        let mut extents = folders.iter().map(extent);
        let first = extents.next().unwrap_or(Self::Workspace);
        extents.fold(
            first,
            |widest, next| if widest == Self::Everywhere || next == Self::Folder { widest } else { next },
        )
    }
}

/// Returns whether a pattern matches every file in every folder.
fn fits_all(pattern: &str) -> bool {
    pattern.contains("**") && pattern.chars().all(|character| matches!(character, '*' | '/' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_pattern_that_leaves_nothing_out_fits_all() {
        for pattern in ["**", "**/*", "**/*.*", "./**", "**/**"] {
            assert!(fits_all(pattern), "{pattern}");
        }
        for pattern in ["src/**", "**/*.rs", "*.md", "**/test/**", "src/*", "*"] {
            assert!(!fits_all(pattern), "{pattern}");
        }
    }
}

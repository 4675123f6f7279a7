//! The rules, and the hint of each for a model whose call breaks it.

/// A kind of unbounded call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// A search tool prints lines from anywhere in the workspace.
    SearchWithoutInclude,
    /// A search tool also searches ignored files.
    SearchIgnored,
    /// A call of a search tool requests too many results.
    ResultLimit,
    /// A tool lists or reads every file.
    WildcardFiles,
    /// A search starts at `/`, `~` or around the workspace.
    SearchEverywhere,
    /// A command searches or lists the whole workspace, ignored files included.
    SearchWorkspace,
    /// A command searches all files that the project does not ignore.
    SearchProject,
    /// A call reads a large file completely.
    WholeFile,
    /// A call fetches complete pages.
    UnlimitedFetch,
}

impl Rule {
    /// Every rule, in the order of the documentation.
    pub const ALL: [Self; 9] = [
        Self::SearchWithoutInclude,
        Self::SearchIgnored,
        Self::ResultLimit,
        Self::WildcardFiles,
        Self::SearchEverywhere,
        Self::SearchWorkspace,
        Self::SearchProject,
        Self::WholeFile,
        Self::UnlimitedFetch,
    ];

    /// Returns its name in settings, reasons and journals.
    pub const fn id(self) -> &'static str {
        match self {
            Self::SearchWithoutInclude => "search-without-include",
            Self::SearchIgnored => "search-ignored",
            Self::ResultLimit => "result-limit",
            Self::WildcardFiles => "wildcard-files",
            Self::SearchEverywhere => "search-everywhere",
            Self::SearchWorkspace => "search-workspace",
            Self::SearchProject => "search-project",
            Self::WholeFile => "whole-file",
            Self::UnlimitedFetch => "unlimited-fetch",
        }
    }

    /// Returns how to bound such a call.
    pub const fn hint(self) -> &'static str {
        match self {
            Self::SearchWithoutInclude => {
                "say which files to look into (an include pattern or a folder), set a limit of results, or ask only \
                 for the names of files"
            }
            Self::SearchIgnored => "leave ignored files out, or name the one ignored folder that matters",
            Self::ResultLimit => "ask for fewer results, and narrow the search if they are not enough",
            Self::WildcardFiles => {
                "name a folder or a kind of file, such as `src/**/*.ts`, or list one folder"
            }
            Self::SearchEverywhere => {
                "search the folder that matters, or bound the depth (`-maxdepth 3`, `--max-depth 3`, `tree -L 2`)"
            }
            Self::SearchWorkspace => {
                "name a folder or a kind of file (`--include='*.rs'`, `-name '*.rs'`), bound the depth, print only \
                 names (`-l`), pipe into `head`, or use `rg PATTERN FOLDER`, which leaves ignored files out"
            }
            Self::SearchProject => {
                "name a folder or a kind of file (`-g '*.rs'`, `-t rust`), print only names (`-l`), or pipe into `head`"
            }
            Self::WholeFile => {
                "read the part that matters: a range of lines, `head`, `sed -n '100,200p'`, or search it"
            }
            Self::UnlimitedFetch => {
                "ask for what you want to know from the page, or put it into a file and look at a part \
                 (`curl -o FILE URL`, `curl URL | head -100`)"
            }
        }
    }
}

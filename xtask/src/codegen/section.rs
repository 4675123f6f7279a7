//! A part of a page between two markers, filled in from code.

use anyhow::{Result, bail};

const START: &str = "<!-- generated: ";
const END: &str = "<!-- end generated -->";

/// Returns the page with the section `name` holding `text`.
pub(crate) fn replace(page: &str, name: &str, text: &str) -> Result<String> {
    let start = format!("{START}{name} -->");
    let Some((before, rest)) = page.split_once(&start) else {
        bail!("there is no line `{start}`");
    };
    let Some((inside, after)) = rest.split_once(END) else {
        bail!("`{start}` has no `{END}` after it");
    };
    if inside.contains(START) {
        bail!("`{start}` has another section before its `{END}`");
    }
    Ok(format!("{before}{start}\n{}\n{END}{after}", text.trim_end()))
}

/// Returns the names of the sections that a page asks for, with the line of each marker.
pub(crate) fn named(page: &str) -> Vec<(usize, &str)> {
    let name = |line| str::strip_prefix(line, START)?.trim_end().strip_suffix(" -->");
    page.lines().enumerate().filter_map(|(index, line)| Some((index + 1, name(line)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A\n<!-- generated: one -->\nold\n<!-- end generated -->\nmiddle\n<!-- generated: two -->\n<!-- end generated -->\nend\n";

    #[test]
    fn only_the_named_section_changes() {
        let once = replace(PAGE, "one", "new\n").unwrap();
        assert_eq!(once, PAGE.replace("old", "new"));
        assert_eq!(replace(&once, "one", "new\n").unwrap(), once);
        let both = replace(&once, "two", "x").unwrap();
        assert!(both.ends_with("<!-- generated: two -->\nx\n<!-- end generated -->\nend\n"), "{both}");
    }

    #[test]
    fn a_page_tells_which_sections_it_asks_for() {
        assert_eq!(named(PAGE), [(2, "one"), (6, "two")]);
        assert_eq!(named("write `<!-- generated: x -->` above it\n"), []);
    }

    #[test]
    fn a_missing_or_open_section_is_an_error() {
        let error = |page: &str| replace(page, "one", "x").unwrap_err().to_string();
        assert_eq!(error("# A\n"), "there is no line `<!-- generated: one -->`");
        assert!(error("<!-- generated: one -->\n").contains("has no `<!-- end generated -->`"));
        let swallowed = "<!-- generated: one -->\n<!-- generated: two -->\n<!-- end generated -->\n";
        assert!(error(swallowed).contains("another section"));
    }
}

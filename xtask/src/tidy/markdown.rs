//! A minimal Markdown parser for the checks: headings with their anchors, links, code.

/// A link and the line it stands in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// The line, counted from 1.
    pub(crate) line: usize,
    /// Where it leads, as written.
    pub(crate) target: String,
}

/// Returns every link and image of a page, in order, outside of code.
pub(crate) fn links(text: &str) -> Vec<Link> {
    let mut links = Vec::new();
    for (line, prose) in prose(text) {
        let prose = without_code(prose);
        for (at, _) in prose.match_indices("](") {
            let rest = &prose[at + 2..];
            let Some(end) = rest.find(')') else { continue };
            let target = rest[..end].split_whitespace().next().unwrap_or_default();
            links.push(Link { line, target: target.trim_matches(['<', '>']).to_owned() });
        }
        // A reference: `[name]: target`. Footnotes (`[^1]: text`) are not links.
        if let Some((name, target)) = prose.trim_start().strip_prefix('[').and_then(|it| it.split_once("]: "))
            && !name.starts_with('^')
            && !name.contains(']')
        {
            let target = target.split_whitespace().next().unwrap_or_default();
            links.push(Link { line, target: target.trim_matches(['<', '>']).to_owned() });
        }
    }
    links
}

/// Returns the anchor of every heading, and every anchor written as HTML.
pub(crate) fn anchors(text: &str) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    for (_, line) in prose(text) {
        let rank = line.chars().take_while(|it| *it == '#').count();
        if (1..=6).contains(&rank) && line[rank..].starts_with(' ') {
            let slug = slug(&line[rank..]);
            let n_before = anchors.iter().filter(|it| **it == slug).count();
            if n_before > 0 {
                anchors.push(format!("{slug}-{n_before}"));
            }
            anchors.push(slug);
        }
        for attribute in ["id=\"", "name=\""] {
            for (at, _) in line.match_indices(attribute) {
                anchors.extend(line[at + attribute.len()..].split('"').next().map(str::to_owned));
            }
        }
    }
    anchors
}

/// Returns the texts in backticks of one line.
pub(crate) fn in_backticks(line: &str) -> Vec<&str> {
    line.split('`').skip(1).step_by(2).collect()
}

/// Returns the numbered lines that are not inside a code fence.
fn prose(text: &str) -> Vec<(usize, &str)> {
    let mut fence: Option<&str> = None;
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) => lines.push((index + 1, line)),
            _ => {}
        }
    }
    lines
}

/// Returns the line without the text between backticks.
fn without_code(line: &str) -> String {
    // An odd backtick opens nothing: what follows the last one is prose.
    let n_ticks = line.matches('`').count();
    let is_code = |index: usize| index % 2 == 1 && index < n_ticks;
    line.split('`').enumerate().filter(|(index, _)| !is_code(*index)).map(|(_, part)| part).collect()
}

/// Returns the anchor that forges make of a heading.
fn slug(heading: &str) -> String {
    let mut shown = String::new();
    let mut rest = heading.trim();
    // Of a link in a heading only its words are shown.
    while let Some((before, after)) = rest.split_once("](") {
        shown.push_str(before);
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    shown.push_str(rest);
    shown
        .to_lowercase()
        .chars()
        .filter(|it| it.is_alphanumeric() || " -_".contains(*it))
        .map(|it| if it == ' ' { '-' } else { it })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_outside_of_code_only() {
        let text = "[a](b.md) and ![c](<d.png> \"title\")\n```\n[no](no.md)\n```\n`[no](no.md)` [e](#f)\n[g]: h.md\n[^1]: no.md\n";
        let found: Vec<(usize, String)> = links(text).into_iter().map(|it| (it.line, it.target)).collect();
        let expected = [(1, "b.md"), (1, "d.png"), (5, "#f"), (6, "h.md")];
        assert_eq!(found, expected.map(|(line, target)| (line, target.to_owned())));
    }

    #[test]
    fn headings_get_the_anchors_that_forges_give_them() {
        let text = "# Start-up: what `it` costs!\n## Hosts\n## Hosts\n### [Link](x.md) & more\n<a id=\"own\"></a>\n```\n# no\n```\n";
        let expected = ["start-up-what-it-costs", "hosts", "hosts-1", "hosts", "link--more", "own"];
        assert_eq!(anchors(text), expected);
    }
}

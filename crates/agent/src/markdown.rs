//! Extracts sections and the first paragraph of a Markdown text.
//!
//! WHY a parser: a heading inside a code fence is not a heading.

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};

/// The sections of a workflow agent's body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Body {
    pub(crate) system_prompt: String,
    pub(crate) when_to_use: Option<String>,
}

struct Heading {
    level: HeadingLevel,
    title: String,
    start: usize,
    /// The byte at which the text below it begins.
    end: usize,
}

/// Extracts the sections `## System Prompt` and `## When to Use`.
///
/// Without the first, the prompt is the text without its title and the second section, or the whole
/// text if nothing remains.
pub(crate) fn body(text: &str) -> Body {
    let headings = if text.contains('#') || text.contains("---") { headings(text) } else { Vec::new() };
    let when_to_use = section(text, &headings, "when to use");
    let prompt = section(text, &headings, "system prompt").map(|(_, content)| content.trim().to_owned());
    let system_prompt = prompt.unwrap_or_else(|| {
        let title = headings.iter().find(|it| it.level == HeadingLevel::H1).map(|it| it.start..it.end);
        let mut left_out: Vec<_> =
            title.into_iter().chain(when_to_use.clone().map(|(range, _)| range)).collect();
        left_out.sort_by_key(|it| it.start);
        let mut rest = String::new();
        let mut at = 0;
        for range in left_out {
            rest.push_str(text.get(at..range.start).unwrap_or_default());
            at = at.max(range.end);
        }
        rest.push_str(&text[at..]);
        let rest = rest.trim();
        if rest.is_empty() { text.trim().to_owned() } else { rest.to_owned() }
    });
    let when_to_use = when_to_use.map(|(_, content)| content.trim().to_owned()).filter(|it| !it.is_empty());
    Body { system_prompt, when_to_use }
}

/// Returns the text of the first paragraph on one line.
pub(crate) fn first_paragraph(text: &str) -> Option<String> {
    let mut paragraph: Option<String> = None;
    for event in Parser::new(text) {
        match (&mut paragraph, event) {
            (None, Event::Start(Tag::Paragraph)) => paragraph = Some(String::new()),
            (Some(found), Event::Text(part) | Event::Code(part)) => found.push_str(&part),
            (Some(found), Event::SoftBreak | Event::HardBreak) => found.push(' '),
            (Some(found), Event::End(TagEnd::Paragraph)) => {
                let found = found.trim();
                if !found.is_empty() {
                    return Some(found.to_owned());
                }
                paragraph = None;
            }
            _ => {}
        }
    }
    None
}

/// Returns a section of the second level: with its heading, and without.
fn section<'t>(
    text: &'t str,
    headings: &[Heading],
    title: &str,
) -> Option<(std::ops::Range<usize>, &'t str)> {
    let index = headings
        .iter()
        .position(|it| it.level == HeadingLevel::H2 && it.title.trim().eq_ignore_ascii_case(title))?;
    let heading = &headings[index];
    let next = headings[index + 1..].iter().find(|it| it.level <= heading.level);
    let end = next.map_or(text.len(), |it| it.start);
    Some((heading.start..end, &text[heading.end..end]))
}

fn headings(text: &str) -> Vec<Heading> {
    let mut headings = Vec::new();
    let mut open: Option<Heading> = None;
    let mut depth = 0_usize;
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            // A heading within a quote or a list divides only that.
            Event::Start(Tag::BlockQuote(_) | Tag::List(_)) => depth += 1,
            Event::End(TagEnd::BlockQuote(_) | TagEnd::List(_)) => depth = depth.saturating_sub(1),
            Event::Start(Tag::Heading { level, .. }) if depth == 0 => {
                open = Some(Heading { level, title: String::new(), start: range.start, end: range.end });
            }
            Event::End(TagEnd::Heading(_)) => headings.extend(open.take()),
            Event::Text(part) | Event::Code(part) => {
                if let Some(heading) = &mut open {
                    heading.title.push_str(&part);
                }
            }
            _ => {}
        }
    }
    headings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, prompt: &str, when: Option<&str>) {
        let expected = Body { system_prompt: prompt.to_owned(), when_to_use: when.map(str::to_owned) };
        assert_eq!(body(text), expected, "{text}");
    }

    #[test]
    fn sections_run_to_the_next_heading_of_their_level_or_above() {
        check(
            "# T\n\n## When to Use\n\nNow.\n\n## System Prompt\n\nDo.\n\n### More\n\nx\n",
            "Do.\n\n### More\n\nx",
            Some("Now."),
        );
        check("## System Prompt\nDo.\n\n# Other\n\nx", "Do.", None);
        check("## System Prompt\n\nDo.\n\n---\n\nStill.\n\n## Notes\n\nx", "Do.\n\n---\n\nStill.", None);
    }

    #[test]
    fn a_heading_inside_a_code_fence_or_a_quote_is_not_a_heading() {
        check(
            "## System Prompt\n\nDo.\n\n```\n## When to Use\nx\n```\n",
            "Do.\n\n```\n## When to Use\nx\n```",
            None,
        );
        check("> ## System Prompt\n> x\n\nAll.", "> ## System Prompt\n> x\n\nAll.", None);
        check("## System Prompt\n\n- a\n\n  # not one\n\nEnd.\n", "- a\n\n  # not one\n\nEnd.", None);
    }

    #[test]
    fn without_a_prompt_section_the_rest_is_the_prompt() {
        check(
            "# Title\n\nYou are x.\n\n## When to Use\n\nNow.\n\n## Rules\n\n1",
            "You are x.\n\n## Rules\n\n1",
            Some("Now."),
        );
        check("Just text", "Just text", None);
        check("# Only a title", "# Only a title", None);
        check("", "", None);
    }

    #[test]
    fn the_first_paragraph_is_found_behind_a_title() {
        assert_eq!(
            first_paragraph("# T\n\n*Reviews* `code`\nwell.\n\nMore.").as_deref(),
            Some("Reviews code well.")
        );
        assert_eq!(first_paragraph("# T\n\n```\ncode\n```\n"), None);
    }
}

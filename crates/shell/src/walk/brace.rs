//! Brace expansion: `{a,b}`, `{1..9}`, nested ones too.

use super::expand::Part;
use crate::limits::MAX_EXPANDED;

/// Returns the words that `parts` becomes; itself when there is nothing to expand.
pub(super) fn expand(parts: Vec<Part>) -> Vec<Vec<Part>> {
    if !parts.iter().any(|part| matches!(part, Part::Bare(text) if text.contains('{'))) {
        return vec![parts];
    }
    let mut done = Vec::new();
    let mut open = vec![parts];
    // Each round expands the first brace of one word; the budget bounds all scanning.
    let mut budget = 400_000usize;
    while let Some(word) = open.pop() {
        if budget == 0 || done.len() + open.len() > MAX_EXPANDED {
            done.push(word);
            continue;
        }
        match first_brace(&word, &mut budget) {
            Some(alternatives) => open.extend(alternatives.into_iter().rev()),
            None => done.push(word),
        }
    }
    done
}

/// A character that lives, or a part that does not.
#[derive(Clone)]
enum Unit {
    Live(char),
    Dead(Part),
}

fn first_brace(parts: &[Part], budget: &mut usize) -> Option<Vec<Vec<Part>>> {
    let units: Vec<Unit> = parts
        .iter()
        .flat_map(|part| match part {
            Part::Bare(text) => text.chars().map(Unit::Live).collect::<Vec<_>>(),
            other => vec![Unit::Dead(other.clone())],
        })
        .collect();
    let mut from = 0;
    while let Some(start) = units[from..].iter().position(|unit| is(unit, '{')).map(|at| at + from) {
        *budget = budget.saturating_sub(units.len());
        if *budget == 0 {
            return None;
        }
        if let Some((end, choices)) = choices(&units, start) {
            let words = choices
                .into_iter()
                .map(|choice| {
                    let mut word = units[..start].to_vec();
                    word.extend(choice);
                    word.extend_from_slice(&units[end + 1..]);
                    collect(word)
                })
                .collect();
            return Some(words);
        }
        from = start + 1;
    }
    None
}

/// The alternatives of the brace at `start` and where it closes.
fn choices(units: &[Unit], start: usize) -> Option<(usize, Vec<Vec<Unit>>)> {
    let mut depth = 0usize;
    let mut commas = Vec::new();
    let mut end = None;
    for (at, unit) in units.iter().enumerate().skip(start) {
        if is(unit, '{') {
            depth += 1;
        } else if is(unit, '}') {
            depth -= 1;
            if depth == 0 {
                end = Some(at);
                break;
            }
        } else if is(unit, ',') && depth == 1 {
            commas.push(at);
        }
    }
    let end = end?;
    if commas.is_empty() {
        return range(&units[start + 1..end]).map(|choices| (end, choices));
    }
    let mut choices = Vec::new();
    let mut from = start + 1;
    for comma in commas.into_iter().chain([end]) {
        choices.push(units[from..comma].to_vec());
        from = comma + 1;
    }
    Some((end, choices))
}

/// `1..5`, `a..e`, with an optional step.
fn range(units: &[Unit]) -> Option<Vec<Vec<Unit>>> {
    let text: String = units.iter().map(|unit| if let Unit::Live(c) = unit { *c } else { '\0' }).collect();
    let mut ends = text.split("..");
    let (first, last) = (ends.next()?, ends.next()?);
    let live = |text: String| text.chars().map(Unit::Live).collect::<Vec<_>>();
    if let (Ok(first), Ok(last)) = (first.parse::<i64>(), last.parse::<i64>()) {
        let n = first.abs_diff(last).min(MAX_EXPANDED as u64);
        let step = if first <= last { 1 } else { -1 };
        return Some((0..=i64::try_from(n).ok()?).map(|at| live((first + at * step).to_string())).collect());
    }
    let (mut first_chars, mut last_chars) = (first.chars(), last.chars());
    let (from, to) = (first_chars.next()?, last_chars.next()?);
    if first_chars.next().is_some() || last_chars.next().is_some() || !from.is_ascii() || !to.is_ascii() {
        return None;
    }
    let (low, high) = (from.min(to), from.max(to));
    Some((low..=high).map(|character| live(character.to_string())).collect())
}

fn is(unit: &Unit, character: char) -> bool {
    matches!(unit, Unit::Live(live) if *live == character)
}

fn collect(units: Vec<Unit>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for unit in units {
        match unit {
            Unit::Live(character) => {
                if let Some(Part::Bare(text)) = parts.last_mut() {
                    text.push(character);
                } else {
                    parts.push(Part::Bare(character.to_string()));
                }
            }
            Unit::Dead(part) => parts.push(part),
        }
    }
    parts
}

//! Makefiles: the recipe lines of a target and of its prerequisites.

/// Returns the commands of `targets` (the first target when none is given), prerequisites first.
pub(crate) fn recipe(content: &str, targets: &[&str], overrides: &[(String, String)]) -> Vec<String> {
    let joined = content.replace("\\\n", " ");
    let rules = rules(&joined);
    let variables = variables(&joined, overrides);
    let first = rules.iter().map(|rule| rule.name).find(|name| !name.starts_with('.') && !name.contains('%'));
    let wanted: Vec<&str> = if targets.is_empty() { first.into_iter().collect() } else { targets.to_vec() };
    let mut lines = Vec::new();
    let mut seen = Vec::new();
    for target in wanted {
        collect(target, &rules, &mut seen, &mut lines);
    }
    lines.iter().map(|line| expand(line, &variables)).collect()
}

/// Returns the commands of `$(shell …)` and `NAME != …` outside of recipes.
pub(crate) fn shell_calls(content: &str, overrides: &[(String, String)]) -> Vec<String> {
    let joined = content.replace("\\\n", " ");
    let variables = variables(&joined, overrides);
    let mut commands = Vec::new();
    for line in joined.lines().take(5000).filter(|line| !line.starts_with('\t')) {
        if let Some((name, command)) = line.split_once("!=")
            && !name.contains([':', '$', '#'])
        {
            commands.push(expand(command.trim(), &variables));
        }
        for mark in ["$(shell ", "${shell "] {
            for (at, _) in line.match_indices(mark) {
                let inner = &line[at + mark.len()..];
                commands.push(expand(closed(inner), &variables));
            }
        }
    }
    commands.truncate(64);
    commands
}

/// Returns the text up to the bracket that closes a call.
fn closed(text: &str) -> &str {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'{' => depth += 1,
            b')' | b'}' if depth == 0 => return &text[..at],
            b')' | b'}' => depth -= 1,
            _ => {}
        }
    }
    text
}

struct Rule<'c> {
    name: &'c str,
    needs: Vec<&'c str>,
    lines: Vec<&'c str>,
}

fn rules(content: &str) -> Vec<Rule<'_>> {
    let mut rules: Vec<Rule> = Vec::new();
    let mut open = 0;
    for line in content.lines().take(5000) {
        if let Some(recipe) = line.strip_prefix('\t') {
            let n = rules.len();
            for rule in &mut rules[n - open.min(n)..] {
                rule.lines.push(recipe);
            }
            continue;
        }
        let head = line.split('#').next().unwrap_or("");
        if head.trim().is_empty() {
            continue;
        }
        open = 0;
        let Some((names, needs)) = head.split_once(':') else { continue };
        if needs.starts_with('=') || needs.starts_with(":=") || names.contains('=') || names.starts_with(' ')
        {
            continue;
        }
        let needs = needs.trim_start_matches(':');
        let (needs, inline) =
            needs.split_once(';').map_or((needs, None), |(needs, inline)| (needs, Some(inline)));
        for name in names.split_whitespace().take(16) {
            let needs = needs.split_whitespace().filter(|need| *need != "|").collect();
            rules.push(Rule { name, needs, lines: inline.into_iter().collect() });
            open += 1;
        }
    }
    rules
}

fn collect<'c>(target: &'c str, rules: &[Rule<'c>], seen: &mut Vec<String>, lines: &mut Vec<&'c str>) {
    if seen.iter().any(|known| known == target) || seen.len() > 64 {
        return;
    }
    seen.push(target.to_owned());
    for rule in rules.iter().filter(|rule| rule.name == target) {
        for need in &rule.needs {
            collect(need, rules, seen, lines);
        }
        lines.extend(&rule.lines);
    }
}

fn variables(content: &str, overrides: &[(String, String)]) -> Vec<(String, String)> {
    let mut variables = overrides.to_vec();
    for line in content.lines().take(5000).filter(|line| !line.starts_with('\t')) {
        let Some((name, value)) = line.split_once('=') else { continue };
        let name = name.trim().trim_end_matches([':', '?', '+', '!']).trim();
        let name = name.strip_prefix("export ").unwrap_or(name).trim();
        let is_name = !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
        if is_name && !overrides.iter().any(|(known, _)| known == name) {
            variables.push((name.to_owned(), value.trim().to_owned()));
        }
    }
    variables
}

/// Turns make's syntax into the shell's: `$(X)` and `$X` by value, `$$x` to `$x`, prefixes dropped.
fn expand(line: &str, variables: &[(String, String)]) -> String {
    let mut out = line.trim_start_matches(['@', '-', '+', ' ']).to_owned();
    for _ in 0..4 {
        let (next, changed) = expand_once(&out, variables);
        out = next;
        if !changed {
            break;
        }
    }
    out.replace("$$", "$")
}

fn expand_once(line: &str, variables: &[(String, String)]) -> (String, bool) {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    let mut changed = false;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let close = match rest.as_bytes().get(1) {
            Some(b'$') => {
                out.push_str("$$");
                rest = &rest[2..];
                continue;
            }
            Some(b'(') => ')',
            Some(b'{') => '}',
            _ => {
                out.push_str("$$");
                rest = &rest[1..];
                continue;
            }
        };
        let Some(end) = rest.find(close) else { break };
        let name = &rest[2..end];
        match variables.iter().find(|(known, _)| known == name) {
            Some((_, value)) if out.len() + value.len() < 64 * 1024 => {
                out.push_str(value);
                changed = true;
            }
            _ if name == "MAKE" => out.push_str("make"),
            // Make takes a variable that it does not set from the environment: `$(HOME)`.
            _ if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_') => {
                out.push_str("$${");
                out.push_str(name);
                out.push('}');
            }
            // A function of make or an unknown variable: unknown to the shell reader too.
            _ => out.push_str("$${_make}"),
        }
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
    (out, changed)
}

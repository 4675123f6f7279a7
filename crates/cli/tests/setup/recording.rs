//! The recording in the README: the first scenes of the demo as an SVG, made from the real output.
//!
//! `cargo xtask recording` writes it; this test fails if it is stale.

use std::fmt::Write;

use expect_test::expect_file;

use crate::project::Project;

/// The width of the demo where stdout is not a terminal.
const COLUMNS: usize = 80;
/// The height of a line.
const LINE: usize = 18;
/// The scenes that fit on one screen.
const SCENES: usize = 3;
/// How long it takes until the next line appears.
const SECONDS_PER_LINE: f64 = 0.35;

#[test]
fn the_recording_in_the_readme_is_what_the_demo_prints() {
    let project = Project::new();
    let said = project.run(&["demo"]);
    assert_eq!(said.exit, 0, "{}", said.all());
    let svg = svg(&screen(&said.stdout));
    expect_file!["../../../../docs/demo.svg"].assert_eq(&svg);
}

/// Returns the lines of the first scenes, without what differs between runs.
fn screen(output: &str) -> Vec<String> {
    let end = format!("{}. ", SCENES + 1);
    let lines = output.lines().skip_while(|line| !line.starts_with("1. "));
    let lines = lines.take_while(|line| !line.starts_with(&end));
    let lines = lines.map(|line| line.replace("`/home`", "`/home/you`"));
    let lines = lines.filter(|line| !line.contains("session allow"));
    lines.collect()
}

fn svg(lines: &[String]) -> String {
    let (width, height) = (COLUMNS * 8 + 40, lines.len() * LINE + 40);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <title>steersman demo</title>\n\
         <style>\n\
         text {{ font: 13px ui-monospace, Menlo, Consolas, monospace; fill: #d8dee9; white-space: pre; }}\n\
         .title {{ font-weight: bold; fill: #ffffff; }} .faint {{ fill: #7b8696; }}\n\
         .deny {{ fill: #ff6b6b; }} .ask {{ fill: #ffd166; }} .pass {{ fill: #7bd88f; }}\n\
         g {{ animation: show 0.01s both; }} @keyframes show {{ from {{ opacity: 0; }} to {{ opacity: 1; }} }}\n\
         @media (prefers-reduced-motion) {{ g {{ animation: none; }} }}\n\
         </style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1b1f27\"/>\n"
    );
    for (n, line) in lines.iter().enumerate() {
        let delay = SECONDS_PER_LINE * f64::from(u32::try_from(n).unwrap());
        let _ = writeln!(
            text,
            "<g style=\"animation-delay:{delay:.2}s\"><text class=\"{}\" x=\"20\" y=\"{}\" xml:space=\"preserve\">{}</text></g>",
            class(line),
            30 + n * LINE,
            escaped(line)
        );
    }
    text + "</svg>\n"
}

fn class(line: &str) -> &'static str {
    match line {
        line if line.contains("◂ deny") => "deny",
        line if line.contains("◂ ask") => "ask",
        line if line.contains("◂ no objection") => "pass",
        line if line.contains('▸') => "",
        line if line.starts_with(|letter: char| letter.is_ascii_digit()) => "title",
        _ => "faint",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

//! A run of a workflow as a graph: a lane for each agent, a column for each step.

use maud::{Markup, html};

use crate::moment;
use crate::view::WorkflowStep;

const WIDTH: usize = 130;
const HEIGHT: usize = 44;
const GAP: usize = 34;
const ROW: usize = 56;
/// How many characters of a name fit.
const SHOWN: usize = 15;

/// Draws the steps from left to right, each in the lane of its agent.
pub(crate) fn lanes(steps: &[WorkflowStep]) -> Markup {
    let lanes = lane_of_each(steps);
    let n_lanes = lanes.iter().max().map_or(0, |it| it + 1);
    let (width, height) = (steps.len() * (WIDTH + GAP), n_lanes * ROW);
    let path: Vec<&str> = steps.iter().map(|it| it.agent.as_str()).collect();
    html! {
        svg.graph width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } role="img" aria-label={ "The run: " (path.join(", then ")) } {
            @for (n, pair) in lanes.windows(2).enumerate() { path.edge d=(edge(n, pair[0], pair[1])) {} }
            @for (n, (step, lane)) in steps.iter().zip(&lanes).enumerate() {
                @let (x, y) = corner(n, *lane);
                g {
                    title { (step.agent) ": " (step.outcome) }
                    rect class={ "node " (style(&step.outcome)) } x=(x) y=(y) width=(WIDTH) height=(HEIGHT) rx="8" {}
                    text x=(x + 10) y=(y + 19) { (short(&step.agent)) }
                    text.state x=(x + 10) y=(y + 35) { (step.outcome) @if let Some(ms) = step.ms { ", " (moment::duration(ms)) } }
                }
            }
        }
    }
}

/// Returns the lane of each step: agents in the order in which they first ran.
fn lane_of_each(steps: &[WorkflowStep]) -> Vec<usize> {
    let mut agents: Vec<&str> = Vec::new();
    let mut lanes = Vec::with_capacity(steps.len());
    for step in steps {
        let at = agents.iter().position(|it| *it == step.agent).unwrap_or(agents.len());
        lanes.push(at);
        if at == agents.len() {
            agents.push(&step.agent);
        }
    }
    lanes
}

fn corner(step: usize, lane: usize) -> (usize, usize) {
    (step * (WIDTH + GAP) + 2, lane * ROW + 2)
}

fn edge(step: usize, from: usize, to: usize) -> String {
    let ((x1, y1), (x2, y2)) = (corner(step, from), corner(step + 1, to));
    let (start, end) = ((x1 + WIDTH, y1 + HEIGHT / 2), (x2, y2 + HEIGHT / 2));
    let middle = usize::midpoint(start.0, end.0);
    format!("M{} {}C{middle} {} {middle} {} {} {}", start.0, start.1, start.1, end.1, end.0, end.1)
}

fn style(outcome: &str) -> &'static str {
    match outcome {
        "succeeded" => "good",
        "failed" => "deny",
        _ => "ask",
    }
}

fn short(name: &str) -> String {
    match name.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_in_the_lane_of_its_agent() {
        let step = |agent: &str| WorkflowStep {
            agent: agent.to_owned(),
            because: String::new(),
            outcome: "succeeded".to_owned(),
            ms: None,
        };
        let steps = ["plan", "code", "review", "code"].map(step);
        assert_eq!(lane_of_each(&steps), [0, 1, 2, 1]);
        assert_eq!(lanes(&steps).into_string().matches("class=\"edge\"").count(), 3);
    }
}

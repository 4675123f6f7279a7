//! Tests of hosts with recorded payloads and the hosts' rules.

#[cfg(test)]
mod acceptance;
#[cfg(test)]
mod arbitrary;
#[cfg(test)]
mod capabilities;
#[cfg(test)]
mod documented;
#[cfg(test)]
mod errors;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod parsing;
#[cfg(test)]
mod raw_object;
mod reach;
#[cfg(test)]
mod recognition;
#[cfg(test)]
mod rendering;
#[cfg(test)]
mod tool_calls;

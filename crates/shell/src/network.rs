//! Hosts and addresses: which of them are this machine.

/// Returns whether `host` (with or without a port) is this machine.
pub(crate) fn is_local_host(host: &str) -> bool {
    let host = host.trim_start_matches('[');
    let name = host.split(']').next().unwrap_or(host);
    let name = if name.matches(':').count() > 1 { name } else { name.split(':').next().unwrap_or(name) };
    matches!(name, "localhost" | "0.0.0.0" | "::1" | "0" | "host.docker.internal" | "")
        || name.starts_with("127.")
        || name.ends_with(".localhost")
        || name.ends_with(".local")
        || name.ends_with(".test")
}

/// Returns whether `address` (a URL or `host/path`) points to this machine.
pub(crate) fn is_local_url(address: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host = host.rsplit('@').next().unwrap_or(host);
    is_local_host(host)
}

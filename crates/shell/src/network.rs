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

/// Returns whether `address` (a URL or `host/path`) is the service that gives a cloud machine its credentials.
pub(crate) fn is_metadata_url(address: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#', '$']).next().unwrap_or(rest);
    let host = host.rsplit('@').next().unwrap_or(host);
    let host = match host.strip_prefix('[') {
        Some(bracketed) => bracketed.split(']').next().unwrap_or(bracketed),
        None => host.split(':').next().unwrap_or(host),
    };
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    matches!(
        host.as_str(),
        "metadata"
            | "metadata.google.internal"
            | "metadata.goog"
            | "instance-data"
            | "fd00:ec2::254"
            | "fd00:ec2::23"
    ) || ["169.254.169.254", "169-254-169-254", "::ffff:a9fe:a9fe"].iter().any(|part| host.contains(part))
        || ipv4(&host).is_some_and(|ip| METADATA.contains(&ip))
}

/// Returns whether a name or number, in any spelling of the C library, is the address at which this machine reaches itself.
pub(crate) fn is_loopback(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    matches!(name.as_str(), "localhost" | "ip6-localhost" | "ip6-loopback" | "0")
        || name.ends_with(".localhost")
        || name.starts_with("localhost.")
        || ipv4(&name).is_some_and(|ip| ip >> 24 == 127 || ip == 0)
}

/// 169.254.169.254, 169.254.170.2, 169.254.170.23, 100.100.100.200, 192.0.0.192, 168.63.129.16.
const METADATA: [u32; 6] = [0xa9fe_a9fe, 0xa9fe_aa02, 0xa9fe_aa17, 0x6464_64c8, 0xc000_00c0, 0xa83f_8110];

/// Reads an address as the C library does: one to four parts, each decimal, octal or hexadecimal.
fn ipv4(host: &str) -> Option<u32> {
    let mut parts = host.split('.').map(|part| match part.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None if part.len() > 1 && part.starts_with('0') => u32::from_str_radix(part, 8).ok(),
        None => part.parse::<u32>().ok(),
    });
    let mut numbers = [0u32; 4];
    let mut n = 0;
    for part in parts.by_ref() {
        *numbers.get_mut(n)? = part?;
        n += 1;
    }
    let (last, front) = numbers.get(..n)?.split_last()?;
    let mut address = *last;
    for (part, shift) in front.iter().zip([24, 16, 8]) {
        address = address.checked_add(part.checked_shl(shift)?)?;
    }
    Some(address)
}

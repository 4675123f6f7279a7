//! System calls to refuse: those that type into the terminal, families of sockets that no namespace holds, and limits and
//! control groups of other processes, which end them as a signal does.

use super::system::{filter_calls, has_terminal};
use super::{Failure, Step};
use crate::Network;

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xC000_00B7;
#[cfg(target_arch = "riscv64")]
const ARCHITECTURE: u32 = 0xC000_00F3;

/// Calls of the x32 interface have this bit; they would pass by their other numbers.
const X32: u32 = 0x4000_0000;

const TIOCSTI: u32 = 0x5412;
const TIOCLINUX: u32 = 0x541C;

/// The families of sockets that belong to a network namespace or stay on this machine: unix, internet, netlink,
/// packets, the kernel's ciphers. Others, such as that to the host of a virtual machine, ignore the namespace.
const FAMILIES: [u32; 6] = [1, 2, 10, 16, 17, 38];

/// The flag of a new namespace of control groups.
const NEW_CONTROL_GROUPS: u32 = 0x0200_0000;

/// Offsets in the data of a filter.
const NUMBER: u32 = 0;
const ARCH: u32 = 4;
const ARGUMENTS: u32 = 16;

const ALLOW: u32 = 0x7FFF_0000;
const ERROR: u32 = 0x0005_0000;

/// A filter, or none if no call must be refused.
pub(super) type Filter = Option<Vec<libc::sock_filter>>;

/// Returns the filter for a command.
///
/// The terminal is only at risk if it is the controlling one and the kernel still lets programs type into it.
pub(super) fn filter_for(network: Network) -> Filter {
    let is_at_risk = has_terminal() && legacy_typing();
    let families: Option<&[u32]> = (network == Network::Own).then_some(&FAMILIES);
    (is_at_risk || families.is_some()).then(|| program(is_at_risk, families))
}

/// Returns the filter for a command under Landlock, which has no network of its own: without the network, only
/// sockets between programs of this machine.
pub(super) fn filter_without_namespace(network: Network) -> Filter {
    let is_at_risk = has_terminal() && legacy_typing();
    let families: Option<&[u32]> = (network == Network::Own).then_some(&[1]);
    (is_at_risk || families.is_some()).then(|| program(is_at_risk, families))
}

/// Installs a filter.
pub(super) fn install(filter: Filter) -> Result<(), Failure> {
    filter.map_or(Ok(()), |mut filter| filter_calls(&mut filter).step("seccomp"))
}

/// Kernels without the setting always let programs type.
fn legacy_typing() -> bool {
    std::fs::read("/proc/sys/dev/tty/legacy_tiocsti").map_or(true, |value| value.first() != Some(&b'0'))
}

fn program(terminal: bool, families: Option<&[u32]>) -> Vec<libc::sock_filter> {
    let number = |call: libc::c_long| u32::try_from(call).unwrap_or(u32::MAX);
    let refuse = |errno: libc::c_int| ret(ERROR | errno.cast_unsigned());
    let mut program = vec![load(ARCH), equal(ARCHITECTURE, 1, 0), refuse(libc::ENOSYS), load(NUMBER)];
    if cfg!(target_arch = "x86_64") {
        program.extend([at_least(X32, 0, 1), refuse(libc::ENOSYS)]);
    }
    if terminal {
        // ioctl: compare the low half of the request, which is all that the kernel reads.
        program.extend([
            equal(number(libc::SYS_ioctl), 0, 5),
            load(ARGUMENTS + 8),
            equal(TIOCSTI, 1, 0),
            equal(TIOCLINUX, 0, 1),
            refuse(libc::EPERM),
            load(NUMBER),
        ]);
    }
    if let Some(families) = families {
        // A limit of zero ends another process as soon as it writes or computes. Zero is the process itself.
        program.extend([
            equal(number(libc::SYS_prlimit64), 0, 4),
            load(ARGUMENTS),
            equal(0, 1, 0),
            refuse(libc::EPERM),
            load(NUMBER),
        ]);
        // A program with such a namespace may mount the control group that it is in, and end or freeze all processes there.
        // The flags of `clone3` are not in its arguments; programs use `clone` where it is missing.
        program.extend([equal(number(libc::SYS_clone3), 0, 1), refuse(libc::ENOSYS)]);
        for call in [libc::SYS_clone, libc::SYS_unshare] {
            program.extend([
                equal(number(call), 0, 4),
                load(ARGUMENTS),
                has_bits(NEW_CONTROL_GROUPS, 0, 1),
                refuse(libc::EPERM),
                load(NUMBER),
            ]);
        }
        // A ring makes sockets without the call below.
        program.extend([equal(number(libc::SYS_io_uring_setup), 0, 1), refuse(libc::ENOSYS)]);
        for call in [libc::SYS_socket, libc::SYS_socketpair] {
            let n = u8::try_from(families.len()).unwrap_or(u8::MAX);
            program.extend([equal(number(call), 0, n + 2), load(ARGUMENTS)]);
            for (at, family) in families.iter().enumerate() {
                let after = n - u8::try_from(at).unwrap_or(0);
                program.push(equal(*family, after, 0));
            }
            program.push(refuse(libc::EAFNOSUPPORT));
            program.push(load(NUMBER));
        }
    }
    program.push(ret(ALLOW));
    program
}

fn load(offset: u32) -> libc::sock_filter {
    statement(0x20, 0, 0, offset)
}

fn equal(value: u32, if_so: u8, if_not: u8) -> libc::sock_filter {
    statement(0x15, if_so, if_not, value)
}

fn has_bits(bits: u32, if_so: u8, if_not: u8) -> libc::sock_filter {
    statement(0x45, if_so, if_not, bits)
}

fn at_least(value: u32, if_so: u8, if_not: u8) -> libc::sock_filter {
    statement(0x35, if_so, if_not, value)
}

fn ret(value: u32) -> libc::sock_filter {
    statement(0x06, 0, 0, value)
}

const fn statement(code: u16, jt: u8, jf: u8, k: u32) -> libc::sock_filter {
    libc::sock_filter { code, jt, jf, k }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a filter as the kernel does. Returns its answer.
    fn judge(program: &[libc::sock_filter], arch: u32, number: u32, arguments: [u32; 2]) -> u32 {
        let (mut at, mut value) = (0, 0);
        loop {
            let statement = &program[at];
            at += 1;
            match statement.code {
                0x20 => {
                    value = match statement.k {
                        NUMBER => number,
                        ARCH => arch,
                        ARGUMENTS => arguments[0],
                        _ => arguments[1],
                    }
                }
                code @ (0x15 | 0x35 | 0x45) => {
                    let holds = match code {
                        0x15 => value == statement.k,
                        0x35 => value >= statement.k,
                        _ => value & statement.k != 0,
                    };
                    at += usize::from(if holds { statement.jt } else { statement.jf });
                }
                _ => return statement.k,
            }
        }
    }

    #[test]
    fn only_the_dangerous_calls_are_refused() {
        let call = |number: libc::c_long| u32::try_from(number).unwrap();
        let refused = |errno: libc::c_int| ERROR | errno.cast_unsigned();
        let both = program(true, Some(&FAMILIES));
        for (what, program, arch, number, arguments, expected) in [
            ("typing", &both, ARCHITECTURE, call(libc::SYS_ioctl), [0, TIOCSTI], refused(libc::EPERM)),
            ("console", &both, ARCHITECTURE, call(libc::SYS_ioctl), [0, TIOCLINUX], refused(libc::EPERM)),
            ("size", &both, ARCHITECTURE, call(libc::SYS_ioctl), [0, 0x5413], ALLOW),
            ("internet", &both, ARCHITECTURE, call(libc::SYS_socket), [2, 0], ALLOW),
            ("unix pair", &both, ARCHITECTURE, call(libc::SYS_socketpair), [1, 0], ALLOW),
            ("cipher", &both, ARCHITECTURE, call(libc::SYS_socket), [38, 0], ALLOW),
            ("vsock", &both, ARCHITECTURE, call(libc::SYS_socket), [40, 0], refused(libc::EAFNOSUPPORT)),
            (
                "vsock pair",
                &both,
                ARCHITECTURE,
                call(libc::SYS_socketpair),
                [40, 0],
                refused(libc::EAFNOSUPPORT),
            ),
            ("ring", &both, ARCHITECTURE, call(libc::SYS_io_uring_setup), [1, 0], refused(libc::ENOSYS)),
            ("own limits", &both, ARCHITECTURE, call(libc::SYS_prlimit64), [0, 7], ALLOW),
            (
                "limits of another",
                &both,
                ARCHITECTURE,
                call(libc::SYS_prlimit64),
                [7, 1],
                refused(libc::EPERM),
            ),
            (
                "limits with network",
                &program(true, None),
                ARCHITECTURE,
                call(libc::SYS_prlimit64),
                [7, 1],
                ALLOW,
            ),
            ("read", &both, ARCHITECTURE, call(libc::SYS_read), [0, 0], ALLOW),
            ("another architecture", &both, 0x4000_0003, call(libc::SYS_read), [0, 0], refused(libc::ENOSYS)),
            (
                "ring with network",
                &program(true, None),
                ARCHITECTURE,
                call(libc::SYS_io_uring_setup),
                [1, 0],
                ALLOW,
            ),
            (
                "typing without terminal",
                &program(false, Some(&[1])),
                ARCHITECTURE,
                call(libc::SYS_ioctl),
                [0, TIOCSTI],
                ALLOW,
            ),
            (
                "internet under Landlock",
                &program(false, Some(&[1])),
                ARCHITECTURE,
                call(libc::SYS_socket),
                [2, 0],
                refused(libc::EAFNOSUPPORT),
            ),
            (
                "unix under Landlock",
                &program(false, Some(&[1])),
                ARCHITECTURE,
                call(libc::SYS_socket),
                [1, 0],
                ALLOW,
            ),
        ] {
            assert_eq!(judge(program, arch, number, arguments), expected, "{what}");
        }
        if cfg!(target_arch = "x86_64") {
            assert_eq!(judge(&both, ARCHITECTURE, X32 | 16, [0, TIOCSTI]), refused(libc::ENOSYS));
        }
    }

    #[test]
    fn control_groups_of_others_are_out_of_reach_without_the_network() {
        let (own, shared) = (program(false, Some(&FAMILIES)), program(true, None));
        let refused = |errno: libc::c_int| ERROR | errno.cast_unsigned();
        for (what, program, call, flags, expected) in [
            ("process", &own, libc::SYS_clone, 0x0120_0011, ALLOW),
            ("process by structure", &own, libc::SYS_clone3, 1, refused(libc::ENOSYS)),
            ("user namespace", &own, libc::SYS_unshare, 0x1002_0000, ALLOW),
            ("control groups", &own, libc::SYS_unshare, 0x1200_0000, refused(libc::EPERM)),
            ("process with control groups", &own, libc::SYS_clone, 0x0200_0011, refused(libc::EPERM)),
            ("control groups with network", &shared, libc::SYS_unshare, 0x1200_0000, ALLOW),
        ] {
            let number = u32::try_from(call).unwrap();
            assert_eq!(judge(program, ARCHITECTURE, number, [flags, 0]), expected, "{what}");
        }
    }
}

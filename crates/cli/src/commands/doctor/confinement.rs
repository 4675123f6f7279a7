//! Whether the kernel can confine commands, and by which mechanism.

use confine::{Backend, Obstacle};

use super::finding::{Finding, Mark, Section};

/// Tries it in a child process.
pub(super) fn examine() -> Section {
    let support = confine::support();
    let mut findings = vec![match support.backend {
        Some(Backend::Namespace) => {
            Finding::new(Mark::Fine, "`steersman run` confines commands by namespaces")
        }
        Some(Backend::Landlock) => Finding::new(
            Mark::Warning,
            format!(
                "`steersman run` confines commands by Landlock {} only: sockets and modes of files stay reachable",
                support.landlock
            ),
        ),
        None => Finding::new(Mark::Info, "`steersman run` cannot confine commands on this system"),
    }];
    findings.extend(support.obstacles.iter().map(obstacle));
    Section { name: "confinement", title: "Confinement", findings }
}

fn obstacle(obstacle: &Obstacle) -> Finding {
    let found = Finding::new(Mark::Info, format!("not by {obstacle}"));
    match (obstacle.backend, restricts_namespaces()) {
        (Backend::Namespace, true) => found.hint(
            "the sysctl `kernel.apparmor_restrict_unprivileged_userns` is 1: install an AppArmor profile with `userns,` for the path of steersman",
        ),
        (Backend::Namespace, false) => found.hint("permit user namespaces: check `user.max_user_namespaces` and the container's seccomp profile"),
        (Backend::Landlock, _) => found.hint("use Linux 5.13 or newer with `landlock` in the list of security modules"),
    }
}

fn restricts_namespaces() -> bool {
    std::fs::read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
        .is_ok_and(|value| value.first() == Some(&b'1'))
}

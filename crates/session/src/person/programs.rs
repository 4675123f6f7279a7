//! Tables of programs that the check of who asks knows by name.

/// Programs of the system's administrator that start a person's sessions, directly beneath the first process.
pub(super) const SESSION_STARTERS: &[&str] = &[
    "sshd",
    "sshd-session",
    "login",
    "getty",
    "agetty",
    "mingetty",
    "fgetty",
    "gdm",
    "gdm-session-worker",
    "gdm3",
    "sddm",
    "sddm-helper",
    "lightdm",
    "xdm",
    "lxdm",
    "greetd",
    "containerd-shim",
    "containerd-shim-runc-v2",
    "conmon",
    "dockerd",
    "telnetd",
];

/// Programs that run a person's desktop and terminals as the person.
pub(super) const DESKTOP_PROGRAMS: &[&str] = &[
    "systemd",
    "gnome-shell",
    "plasmashell",
    "kwin_wayland",
    "sway",
    "hyprland",
    "i3",
    "xfce4-session",
    "xterm",
    "gnome-terminal-server",
    "gnome-console",
    "kgx",
    "ptyxis",
    "ptyxis-agent",
    "konsole",
    "alacritty",
    "kitty",
    "wezterm",
    "wezterm-gui",
    "foot",
    "footclient",
    "ghostty",
    "terminator",
    "tilix",
    "xfce4-terminal",
    "lxterminal",
    "urxvt",
    "rxvt",
    "urxvtd",
    "st",
    "guake",
    "yakuake",
    "warp",
    "rio",
    "tabby",
];

/// Programs that run a person's terminals over the network as the person, after their own parent has ended.
pub(super) const TERMINAL_SERVERS: &[&str] = &["mosh-server", "etterminal", "ttyd", "gotty", "shpool"];

/// Shells, which are the first process of many containers.
pub(super) const SHELLS: &[&str] = &["bash", "sh", "dash", "ash", "zsh", "fish", "ksh", "busybox"];

/// Processes that adopt those whose parent has ended.
pub(super) const ADOPTERS: &[&str] =
    &["systemd", "init", "tini", "dumb-init", "docker-init", "catatonit", "s6-svscan", "runsvdir"];

/// Programs that run jobs later, which an agent may have scheduled.
pub(super) const SCHEDULERS: &[&str] =
    &["cron", "crond", "atd", "anacron", "fcron", "systemd-timer", "jobd", "dcron", "bcron", "cronie"];

/// Programs through which a person, or an agent on the same machine, logs in over the network.
pub(super) const REMOTE_LOGINS: &[&str] =
    &["sshd", "sshd-session", "sshd-auth", "dropbear", "tinysshd", "telnetd", "in.telnetd"];

/// Editors whose agent shares the terminals of the person.
pub(super) const EDITORS: &[&str] = &[
    "code",
    "code-insiders",
    "code-oss",
    "codium",
    "vscodium",
    "cursor",
    "Cursor",
    "Code",
    "Code Helper",
    "Cursor Helper",
    "code-server",
    "windsurf",
    "code-tunnel",
];

/// Programs that run terminals which several processes share.
pub(super) const MULTIPLEXERS: &[&str] = &["tmux", "screen", "zellij", "dtach", "abduco", "dvtm", "byobu"];

/// Returns whether a program runs terminals which several processes share.
pub(super) fn is_multiplexer(program: &str) -> bool {
    MULTIPLEXERS.iter().any(|known| program == *known || program.starts_with(&format!("{known}:")))
}

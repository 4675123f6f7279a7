//! Looks that need more than data, one file per family.

mod agent_switches;
mod archives;
mod builders;
mod cloud;
mod containers;
mod databases;
mod develop;
mod editors;
mod files;
mod git;
mod github;
mod move_data;
mod network;
mod patch;
mod recording;
mod registries;
mod sed_script;
mod sql;
mod sql_files;
mod steersman;
mod system;
mod tar;
mod text;
mod transfer;

pub(super) use archives::{ar, cpio, pax, seven_zip, unpack};
pub(super) use builders::{cmake, meson};
pub(super) use cloud::{ansible, aws, az, cloud_verbs, gcloud, gsutil, heroku, terraform};
pub(crate) use containers::reaches_node;
pub(super) use containers::{compose, docker, helm, kubectl};
pub(crate) use databases::rule_of_statement;
pub(super) use databases::{dropdb, kafka, mongo, pg_restore, redis, sql};
pub(super) use develop::{
    cargo, check_only, clang_format, debugger, django, dotnet, dpkg, fixer, gofmt, hg, in_place_alone,
    migrations, pacman, patchelf, protoc, rails, rpm, ruff, svn, tsc,
};
pub(super) use editors::{editor, emacs, speller};
pub(super) use files::{
    chmod, chown, csplit, dd, delete_trees, find, first_is_made, install, link, make_filesystem, mktemp, mmv,
    rename, rm, second_is_written, split, tee,
};
pub(super) use git::{git, husky};
pub(super) use github::gh;
pub(crate) use move_data::is_stranger;
pub(super) use move_data::{compress, rclone, rsync, scp, unzip, zip};
pub(super) use network::{curl, httpie, netcat, openssl, sender, sender_words, socat, ssh_keygen, wget};
pub(super) use patch::{apply_patch, patch};
pub(super) use recording::{asks_password, ffmpeg, import, xdotool, xinput};
pub(crate) use registries::is_foreign_registry;
pub(super) use registries::{brew, go, registry};
pub(super) use steersman::steersman;
pub use steersman::{OwnCommand, own_command};
pub(super) use system::{
    agent, crontab, disk, firewall, history, init, ip, journal, kill, mount, schedule, sets_system, sysctl,
    tcl,
};
pub(super) use tar::tar;
pub(super) use text::{ast_grep, date, dc, fx, gpg, jq, json, man, mlr, pager, ripgrep, sed, sort};
pub(super) use transfer::{clipboard, sends_files, transfer};

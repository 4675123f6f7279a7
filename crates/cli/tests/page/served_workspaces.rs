//! Each page lists the other workspaces that are served on this machine, and `serve --open` opens the browser.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::scene::{Scene, until};

#[test]
fn each_page_links_to_the_other_served_workspaces_while_they_are_served() {
    let one = Scene::serving();
    let mut other = Scene::new();
    other.serve_beside(&one);
    let others = |scene: &Scene| {
        let now: Value = serde_json::from_str(&scene.get("/api/v1/now").1).unwrap();
        testkit::schema::check("api-now", &now);
        now["workspaces"].clone()
    };
    let name = other.sandbox.root().file_name().unwrap().to_str().unwrap().to_owned();
    assert_eq!(others(&one), json!([{"workspace": other.sandbox.root(), "url": other.address()}]));
    assert_eq!(others(&other), json!([{"workspace": one.sandbox.root(), "url": one.address()}]));
    let browsed = Scene::browse(&json!({"steps": [
        {"goto": one.address()},
        {"axe": true},
        {"click": "nav.others a"},
    ]}));
    assert_eq!((&browsed.found[1]["violations"], &browsed.messages), (&json!([]), &json!([])));
    assert_eq!(browsed.found[2]["url"], other.address(), "{name}");
    other.stop();
    until("the page of the stopped server is gone", || others(&one) == json!([]));
}

#[test]
fn an_option_opens_the_link_in_the_browser() {
    let mut scene = Scene::new();
    let folder = scene.sandbox.elsewhere().join("bin");
    let opened = scene.sandbox.elsewhere().join("opened.txt");
    fs::create_dir_all(&folder).unwrap();
    let program = folder.join(if cfg!(target_os = "macos") { "open" } else { "xdg-open" });
    fs::write(&program, format!("#!/bin/sh\necho \"$1\" > '{}'\n", opened.display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    scene.serve_with(&["--open"], Some(&folder));
    until("the browser was started", || fs::read_to_string(&opened).is_ok_and(|link| link.ends_with('\n')));
    assert_eq!(fs::read_to_string(&opened).unwrap().trim_end(), scene.link());
}

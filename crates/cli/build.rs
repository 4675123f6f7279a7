//! Has the linker put what hooks touch next to each other, where the binary is static.

fn main() {
    println!("cargo::rerun-if-changed=hooks.ld");
    println!("cargo::rerun-if-env-changed=STEERSMAN_LINK_MAP");
    println!("cargo::rustc-check-cfg=cfg(hook_layout)");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|it| it == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "musl") && is("PROFILE", "release") {
        let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{folder}/hooks.ld");
        // The script defines the symbols that `hook/pages.rs` reads.
        println!("cargo::rustc-cfg=hook_layout");
        if let Ok(map) = std::env::var("STEERSMAN_LINK_MAP") {
            println!("cargo::rustc-link-arg-bins=-Wl,-Map,{map}");
        }
    } else if is("CARGO_CFG_TARGET_OS", "linux") && is("PROFILE", "release") {
        // WHY: a relocatable binary writes every page that holds an address before `main` runs, which
        // is half of what a hook costs in this build.
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

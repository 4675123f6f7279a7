//! The pages, the API and the metrics on 127.0.0.1, served by a thread of its own.

mod access;
mod change;
mod data;
mod doctor;
mod editor;
mod events;
mod peer;
mod routes;
mod shown_plan;
mod snapshot;
mod stamp;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::thread;

use event::AbsPath;
use store::Workspace;

use crate::inspection::Inspection;
use access::Access;
use data::HookRuns;
use doctor::DoctorChecks;
use events::ChangeEvents;
use shown_plan::ShownPlan;

pub use editor::{Editor, GrantTrust};
pub(crate) use snapshot::{Snapshot, Snapshots};

/// All that a request needs.
#[derive(Debug)]
struct Web {
    workspace: Workspace,
    /// The user's state folder, where the agent programs are recorded.
    user_state: Option<AbsPath>,
    snapshots: Snapshots,
    access: Access,
    /// The editor extension that started the server.
    editor: Option<Editor>,
    changes: ChangeEvents,
    hook_runs: HookRuns,
    doctor: DoctorChecks,
    shown_plan: ShownPlan,
    inspection: Arc<dyn Inspection>,
    /// Held while a session is judged again.
    replay: Mutex<()>,
}

/// The address of the pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) port: u16,
    /// The address that any process of this user may read.
    pub(crate) url: String,
    /// The link with the token, for a person.
    pub(crate) link: Option<String>,
}

/// Serves the pages; for port zero the system chooses a free one. `is_person` tells whether to make a link with a token.
pub(crate) fn open(
    port: u16,
    workspace: Workspace,
    user_state: Option<AbsPath>,
    snapshots: Snapshots,
    inspection: Arc<dyn Inspection>,
    is_person: bool,
    editor: Option<Editor>,
) -> Result<Address, String> {
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
        .map_err(|error| error.to_string())?;
    listener.set_nonblocking(true).map_err(|error| error.to_string())?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    let access = Access::new(port, is_person).map_err(|error| error.to_string())?;
    let address = Address { port, url: access.url(), link: access.link() };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| error.to_string())?;
    let web = Arc::new(Web {
        workspace,
        user_state,
        snapshots,
        access,
        editor,
        changes: ChangeEvents::default(),
        hook_runs: HookRuns::default(),
        doctor: DoctorChecks::new(Arc::clone(&inspection)),
        shown_plan: ShownPlan::default(),
        inspection,
        replay: Mutex::default(),
    });
    thread::spawn(move || {
        runtime.block_on(async move {
            let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
            tokio::spawn(events::watch(Arc::clone(&web)));
            let app = routes::all(web).into_make_service_with_connect_info::<SocketAddr>();
            // Ends only with the process.
            let _ = axum::serve(listener, app).await;
        });
    });
    Ok(address)
}

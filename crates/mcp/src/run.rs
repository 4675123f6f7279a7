//! Runs the server on stdin and stdout until the input ends or the user interrupts it.

use std::io;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio;
use store::Workspace;

use crate::IntentServer;

/// Why the server failed.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The async runtime could not be created.
    #[error("cannot start the MCP server")]
    Start(#[source] io::Error),
    /// The client violated the protocol's initialization.
    #[error("cannot initialize the MCP session: {0}")]
    Begin(Box<ServerInitializeError>),
    /// The server task failed.
    #[error("cannot continue the MCP session: {0}")]
    Broken(String),
}

/// Serves until the input ends or the user presses Ctrl-C; both are a regular end.
pub fn serve(workspace: Workspace) -> Result<(), ServeError> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServeError::Start)?;
    let outcome = runtime.block_on(async {
        tokio::select! {
            outcome = run(workspace) => outcome,
            _ = tokio::signal::ctrl_c() => Ok(()),
        }
    });
    // A thread of the runtime may still block on input that never arrives.
    runtime.shutdown_background();
    outcome
}

async fn run(workspace: Workspace) -> Result<(), ServeError> {
    let server = match IntentServer::new(workspace).serve(stdio()).await {
        Ok(server) => server,
        // A client that only checks that the server starts closes the connection at once.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(ServeError::Begin(Box::new(error))),
    };
    server.waiting().await.map(|_| ()).map_err(|error| ServeError::Broken(error.to_string()))
}

//! Runs the server on stdin and stdout until one of them or the person ends it.

use std::io;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio;
use store::Workspace;

use crate::IntentServer;

/// Why the server did not run to its end.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// There is no runtime to run in.
    #[error("cannot start the server")]
    Start(#[source] io::Error),
    /// The client did not begin as the protocol says.
    #[error("the client did not begin as MCP says: {0}")]
    Begin(Box<ServerInitializeError>),
    /// The server broke down.
    #[error("the server broke down: {0}")]
    Broken(String),
}

/// Serves until the input ends or somebody presses Ctrl-C; both are a regular end.
pub fn serve(workspace: Workspace) -> Result<(), ServeError> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServeError::Start)?;
    let outcome = runtime.block_on(async {
        tokio::select! {
            outcome = run(workspace) => outcome,
            _ = tokio::signal::ctrl_c() => Ok(()),
        }
    });
    // A thread of the runtime may still wait for input that never comes.
    runtime.shutdown_background();
    outcome
}

async fn run(workspace: Workspace) -> Result<(), ServeError> {
    let server = match IntentServer::new(workspace).serve(stdio()).await {
        Ok(server) => server,
        // Whoever only wants to see that it starts closes at once.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(ServeError::Begin(Box::new(error))),
    };
    server.waiting().await.map(|_| ()).map_err(|error| ServeError::Broken(error.to_string()))
}

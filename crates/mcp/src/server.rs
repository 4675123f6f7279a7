//! The tools of the server, declared for the MCP SDK.

use std::sync::{Arc, Mutex, PoisonError};

use intent::IntentId;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, ContentBlock, Implementation, ServerCapabilities, ServerConfig};
use rmcp::{ServerHandler, tool, tool_handler, tool_router};
use serde_json::Value;
use store::Workspace;

use crate::answers::{self, Refusal};
use crate::parameters::{CheckParameters, ExpansionParameters, SelectParameters};

/// Serves the intents of one workspace.
#[derive(Debug, Clone)]
pub struct IntentServer {
    workspace: Arc<Workspace>,
    /// The intent selected on this connection.
    selected: Arc<Mutex<Option<IntentId>>>,
    tool_router: ToolRouter<Self>,
}

const INSTRUCTIONS: &str = "This workspace may be governed by intents: pieces of work with the files \
they may write. Call list_intents, then select_active_intent with the one you were asked to work on \
before you write files or run commands that do. A write outside its scope is refused; ask for more \
with request_scope_expansion.";

#[tool_router(router = tool_router)]
impl IntentServer {
    /// Creates a server for this workspace.
    pub fn new(workspace: Workspace) -> Self {
        Self { workspace: Arc::new(workspace), selected: Arc::default(), tool_router: Self::tool_router() }
    }

    /// Selects the intent to work on.
    #[tool(
        name = "select_active_intent",
        description = "Select the intent you are going to work on. Do this before you write any file. Returns its description, the files it may write, its constraints and its acceptance criteria.",
        annotations(destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    pub fn select_active_intent(
        &self,
        Parameters(parameters): Parameters<SelectParameters>,
    ) -> CallToolResult {
        text(answers::select(&self.workspace, &parameters.intent_id).map(|(id, block)| {
            *self.selected.lock().unwrap_or_else(PoisonError::into_inner) = Some(id);
            block
        }))
    }

    /// Lists the intents.
    #[tool(
        name = "list_intents",
        description = "List the intents of this workspace: id, name, description, status, whether it can be selected, and the files it may write.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    pub fn list_intents(&self) -> CallToolResult {
        structured(answers::list(&self.workspace, self.active().as_ref()))
    }

    /// Returns the active intent.
    #[tool(
        name = "current_intent",
        description = "Return the intent you are working on with its scope, constraints and acceptance criteria, or the intents to choose from.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    pub fn current_intent(&self) -> CallToolResult {
        text(answers::current(&self.workspace, self.active().as_ref()))
    }

    /// Checks whether files may be written.
    #[tool(
        name = "check_scope",
        description = "Check whether files may be written under the active intent, before you write them.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    pub fn check_scope(&self, Parameters(parameters): Parameters<CheckParameters>) -> CallToolResult {
        let CheckParameters { paths, intent_id } = parameters;
        structured(answers::check(&self.workspace, &paths, intent_id.as_deref(), self.active().as_ref()))
    }

    /// Asks a person for a wider scope.
    #[tool(
        name = "request_scope_expansion",
        description = "Ask a person to let the active intent write more files. The request is recorded; the file stays out of scope until a person accepts it.",
        annotations(destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    pub fn request_scope_expansion(
        &self,
        Parameters(parameters): Parameters<ExpansionParameters>,
    ) -> CallToolResult {
        let ExpansionParameters { pattern, reason, intent_id } = parameters;
        let active = self.active();
        text(answers::request_expansion(
            &self.workspace,
            &pattern,
            &reason,
            intent_id.as_deref(),
            active.as_ref(),
        ))
    }

    /// Returns the intent selected on this connection, else the workspace's.
    fn active(&self) -> Option<IntentId> {
        let selected = self.selected.lock().unwrap_or_else(PoisonError::into_inner).clone();
        selected.or_else(|| answers::default_of(&self.workspace))
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for IntentServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("steersman", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }
}

fn text(answer: Result<String, Refusal>) -> CallToolResult {
    match answer {
        Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
        Err(refusal) => CallToolResult::error(vec![ContentBlock::text(refusal)]),
    }
}

fn structured(answer: Result<Value, Refusal>) -> CallToolResult {
    match answer {
        Ok(value) => CallToolResult::structured(value),
        Err(refusal) => CallToolResult::error(vec![ContentBlock::text(refusal)]),
    }
}

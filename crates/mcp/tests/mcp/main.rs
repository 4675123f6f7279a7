//! Tests the server with the SDK's own client.

use event::AbsPath;
use mcp::IntentServer;
use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use serde_json::json;
use store::Workspace;

const YAML: &str =
    "intents:\n  - id: INT-001\n    name: One\n    status: PENDING\n    owned_scope: [src/**]\n";

#[test]
fn the_sdks_own_client_selects_an_intent() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join(".orchestration")).unwrap();
    std::fs::write(dir.path().join(".orchestration/active_intents.yaml"), YAML).unwrap();
    let workspace = Workspace::at(AbsPath::new(dir.path()).unwrap());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (here, there) = tokio::io::duplex(64 * 1024);
        let server = tokio::spawn(async move { IntentServer::new(workspace).serve(there).await });
        let client = ().serve(here).await.unwrap();
        let _server = server.await.unwrap().unwrap();
        assert_eq!(client.list_all_tools().await.unwrap().len(), 5);
        let arguments = json!({"intent_id": "INT-001"}).as_object().unwrap().clone();
        let call = CallToolRequestParams::new("select_active_intent").with_arguments(arguments);
        let result = serde_json::to_value(client.call_tool(call).await.unwrap()).unwrap();
        assert_eq!(result["isError"], false);
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.starts_with("<intent_context>\n  <intent_id>INT-001</intent_id>"), "{text}");
        client.cancel().await.unwrap();
    });
}

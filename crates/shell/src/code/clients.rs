//! Libraries that reach a database, a cloud or the user's keyboard: calls of them that delete or record.

use super::look::Look;
use super::token::Token;
use crate::guard::RuleId;

/// A library, by a mark of it in code, with the methods that a rule judges. A method that ends in `*` begins so.
struct Client {
    marks: &'static [&'static str],
    methods: &'static str,
    rule: RuleId,
}

const fn client(marks: &'static [&'static str], methods: &'static str, rule: RuleId) -> Client {
    Client { marks, methods, rule }
}

static CLIENTS: [Client; 7] = [
    client(
        &["boto3", "@aws-sdk/", "aws-sdk", "google.cloud", "googleapiclient", "azure."],
        "delete delete_* terminate terminate_* begin_delete* Delete*Command schedule_key_deletion",
        RuleId::CloudChange,
    ),
    client(
        &["pymongo", "motor.", "mongodb", "mongoose"],
        "drop_database drop_collection dropDatabase dropCollection drop",
        RuleId::DatabaseDrop,
    ),
    client(&["redis"], "flushall flushdb flushAll flushDb", RuleId::DatabaseDelete),
    client(
        &["kubernetes"],
        "delete_namespace delete_namespaced_* delete_collection_* delete_persistent_volume",
        RuleId::ClusterDelete,
    ),
    client(&["elasticsearch", "opensearch"], "delete_by_query delete_index", RuleId::DatabaseDelete),
    client(
        &["pynput", "pyxhook", "keylogger"],
        "Listener start_listening HookManager",
        RuleId::UserRecording,
    ),
    client(&["ImageGrab", "pyautogui"], "grab screenshot", RuleId::UserRecording),
];

impl Look<'_, '_, '_> {
    /// Records calls of the libraries above in code that the line itself holds.
    ///
    /// WHY not in files: a project's own program deletes what its author meant it to.
    pub(super) fn uses_clients(&mut self, tokens: &[Token]) {
        let is_inline = self.call.rest().iter().any(|word| word.text.ends_with(self.code))
            || self.walker.stdin().is_some_and(|input| input.text == self.code);
        if !is_inline {
            return;
        }
        for client in &CLIENTS {
            if !client.marks.iter().any(|mark| self.code.contains(mark)) {
                continue;
            }
            let called = tokens.windows(3).find_map(|three| match three {
                [Token::Mark('.') | Token::Name(_), Token::Name(method), Token::Mark('(')]
                    if client.methods.split_ascii_whitespace().any(|listed| is_method(listed, method)) =>
                {
                    Some(method)
                }
                _ => None,
            });
            if let Some(method) = called {
                self.walker.risk(client.rule, method.clone(), self.call.span);
            }
        }
    }
}

fn is_method(listed: &str, method: &str) -> bool {
    match listed.split_once('*') {
        Some((front, back)) => method.starts_with(front) && method.ends_with(back),
        None => listed == method,
    }
}

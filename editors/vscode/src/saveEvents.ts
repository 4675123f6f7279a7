// Emits `onWillSaveTextDocument` to automations that have this trigger. Only an editor knows of it.
import * as vscode from 'vscode';

import type { Folder } from './folder';

const TRIGGER = 'onWillSaveTextDocument';

export function emitWillSave(folderOf: (uri: vscode.Uri) => Folder | undefined): vscode.Disposable {
  return vscode.workspace.onWillSaveTextDocument(({ document }) => {
    const folder = folderOf(document.uri);
    if (!folder || document.uri.scheme !== 'file' || !vscode.workspace.getConfiguration('steersman', document.uri).get('emitWillSave', true)) return;
    const isWanted = folder.snapshot?.automations.automations.some((it) => it.enabled && it.trigger.includes(TRIGGER));
    // The save does not wait for it: an automation must not delay the person's typing.
    if (isWanted) void folder.cli.run(['emit', TRIGGER, '--file', document.uri.fsPath]).catch(() => undefined);
  });
}

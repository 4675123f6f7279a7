// Writes a change of an automation file that `automation add|edit|remove --dry-run` planned and checked.
//
// WHY not without --dry-run: a change of what runs is a person's, and the program cannot tell this process from an
// agent's. The editor writes the file for the person, as if they had typed the change, and it runs only after they trust it.
import * as vscode from 'vscode';

import type { Folder } from './folder';
import { applyDiff, parseDiff } from './unifiedDiff';

export async function applyDefinition(folder: Folder, diff: string): Promise<void> {
  for (const change of parseDiff(diff)) {
    const uri = vscode.Uri.joinPath(folder.uri, change.file);
    const before = change.isNew ? '' : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    const after = applyDiff(before, change);
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
    if (open?.isDirty) throw new Error(vscode.l10n.t('{0} has unsaved changes. Save it first.', change.file));
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(after));
  }
}

// The form for an automation, in a webview that follows the theme of the workbench.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

import type { DefinitionChange } from '../api';
import { applyDefinition } from '../definitionFile';
import type { Folder } from '../folder';
import { changedKeys, copyOf, emptyFields, type Fields, toDefinition, toFields } from './definition';
import type { ToExtension, ToForm } from './messages';

const TYPE = 'steersman.automationForm';

/** What the form begins with. */
export type Start =
  | { kind: 'new' }
  | { kind: 'edit'; definition: Record<string, unknown> }
  | { kind: 'duplicate'; definition: Record<string, unknown> };

export function openForm(context: vscode.ExtensionContext, folder: Folder, start: Start): void {
  const id = start.kind === 'edit' ? String(start.definition.id) : '';
  const title = start.kind === 'edit' ? vscode.l10n.t('Automation {0}', id) : vscode.l10n.t('New automation');
  const dist = vscode.Uri.joinPath(context.extensionUri, 'dist');
  const media = vscode.Uri.joinPath(context.extensionUri, 'media');
  const panel = vscode.window.createWebviewPanel(TYPE, title, vscode.ViewColumn.Active, {
    enableScripts: true, localResourceRoots: [dist, media], retainContextWhenHidden: true,
  });
  panel.webview.html = page(panel.webview, dist, media);
  const send = (message: ToForm): void => void panel.webview.postMessage(message);
  let sent = '';
  const following = folder.onDidChange(() => {
    const agents = folder.snapshot?.agents ?? [];
    // A list that is filled again closes under the person's pointer.
    if (JSON.stringify(agents) !== sent) send({ kind: 'agents', agents });
    sent = JSON.stringify(agents);
  });
  panel.onDidDispose(() => following.dispose());

  const change = (fields: Fields): Promise<DefinitionChange> => {
    const filled = toDefinition(fields);
    const definition = start.kind === 'duplicate' ? copyOf(start.definition, filled) : filled;
    if (start.kind !== 'edit') return folder.cli.json(['automation', 'add', '--dry-run', '--json'], JSON.stringify(definition));
    const keys = changedKeys(start.definition, definition);
    if (Object.keys(keys).length === 0) return Promise.resolve({ valid: true, problems: [], diff: '' });
    return folder.cli.json(['automation', 'edit', id, '--dry-run', '--json'], JSON.stringify(keys));
  };
  let latest = 0;
  panel.webview.onDidReceiveMessage(async (message: ToExtension) => {
    const turn = ++latest;
    try {
      switch (message.kind) {
        case 'ready': {
          const fields = start.kind === 'new' ? emptyFields() : toFields(start.definition);
          if (start.kind === 'duplicate') Object.assign(fields, { id: `${fields.id}-copy`, name: fields.name && vscode.l10n.t('{0} (copy)', fields.name) });
          send({ kind: 'show', fields, agents: folder.snapshot?.agents ?? [], isNew: start.kind !== 'edit', messages: vscode.l10n.bundle ?? {} });
          break;
        }
        case 'check': {
          const { problems } = await change(message.fields);
          if (turn === latest) send({ kind: 'problems', problems });
          break;
        }
        case 'save': {
          const made = await change(message.fields);
          if (!made.valid) {
            send({ kind: 'problems', problems: made.problems, error: vscode.l10n.t('Nothing was saved.') });
            break;
          }
          await applyDefinition(folder, made.diff ?? '');
          send({ kind: 'saved' });
          panel.dispose();
          folder.refresh();
          await offerTrust(folder);
          break;
        }
        case 'close':
          panel.dispose();
      }
    } catch (error) {
      send({ kind: 'problems', problems: [], error: error instanceof Error ? error.message : String(error) });
    }
  });
}

/** A changed definition runs only after the person trusted it. */
export async function offerTrust(folder: Folder): Promise<void> {
  const review = vscode.l10n.t('Review and trust');
  const chosen = await vscode.window.showInformationMessage(vscode.l10n.t('The automations of {0} changed. They run in their new form after you trust them.', folder.name), review);
  if (chosen === review) await vscode.commands.executeCommand('steersman.trust', { folder });
}

function page(webview: vscode.Webview, dist: vscode.Uri, media: vscode.Uri): string {
  const nonce = randomBytes(16).toString('hex');
  const script = webview.asWebviewUri(vscode.Uri.joinPath(dist, 'form.js')).toString();
  const style = webview.asWebviewUri(vscode.Uri.joinPath(media, 'form.css')).toString();
  return `<!doctype html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${vscode.l10n.t('Automation')}</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<main><form id="form" novalidate></form></main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}

// Actions above the intents and automations in their files.
import * as vscode from 'vscode';

import type { Folder } from './folder';
import { declarations } from './declarations';

const FILES = '**/{.orchestration/active_intents.yaml,.akira/hooks.json,.vscode/gatomia/hooks.json}';

export class Lenses implements vscode.CodeLensProvider {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(private readonly folderOf: (uri: vscode.Uri) => Folder | undefined) {}

  register(): vscode.Disposable {
    return vscode.languages.registerCodeLensProvider({ scheme: 'file', pattern: FILES }, this);
  }

  refresh(): void {
    this.#changed.fire();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const folder = this.folderOf(document.uri);
    if (!folder?.snapshot || !vscode.workspace.getConfiguration('steersman').get('codeLens', true)) return [];
    const lens = (line: number, title: string, command: string, of: string): vscode.CodeLens =>
      new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { title, command, arguments: [{ folder, row: { of } }] });
    const found = declarations(document.getText());
    if (document.fileName.endsWith('.yaml')) {
      return found.flatMap(({ id, line }) => {
        const intent = folder.snapshot?.intents.intents.find((it) => it.id === id);
        if (!intent) return [];
        const canSelect = !intent.selected && (intent.status === 'PENDING' || intent.status === 'IN_PROGRESS');
        return [
          lens(line, intent.selected ? vscode.l10n.t('$(target) selected') : intent.status, 'steersman.setIntentStatus', id),
          ...(canSelect ? [lens(line, vscode.l10n.t('Select'), 'steersman.selectIntent', id)] : []),
        ];
      });
    }
    return found.flatMap(({ id, line }) => {
      const row = folder.snapshot?.automations.automations.find((it) => it.id === id);
      if (!row) return [];
      return [
        lens(line, vscode.l10n.t('$(play) Run'), 'steersman.runAutomation', id),
        lens(line, vscode.l10n.t('Edit'), 'steersman.editAutomation', id),
        ...(row.impediment ? [lens(line, `$(warning) ${row.impediment}`, 'steersman.doctor', id)] : []),
      ];
    });
  }
}

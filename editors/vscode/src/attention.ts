// The status bar item and the notifications.
import * as vscode from 'vscode';

import type { Ask } from './api';
import type { Folder } from './folder';
import { News } from './news';
import { summary } from './nodes';

export class Attention implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('steersman.status', vscode.StatusBarAlignment.Left, 50);
  readonly #news = new News();

  constructor(private readonly folders: () => Folder[]) {
    this.#item.name = 'steersman';
  }

  update(): void {
    const folders = this.folders();
    const snapshots = folders.flatMap((folder) => folder.snapshot ?? []);
    const isStopped = folders.every((folder) => folder.server.state === 'stopped');
    const { text, tooltip, isUrgent } = summary(snapshots);
    this.#item.text = isStopped ? '$(compass) $(circle-slash)' : text;
    this.#item.tooltip = isStopped ? vscode.l10n.t('steersman: the server does not run') : tooltip;
    this.#item.accessibilityInformation = { label: this.#item.tooltip };
    this.#item.backgroundColor = isUrgent ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.command = isUrgent ? 'steersman.answerAsks' : 'steersman.asks.focus';
    if (folders.length > 0) this.#item.show();
    else this.#item.hide();
    for (const folder of folders) this.#notify(folder);
  }

  #notify(folder: Folder): void {
    const { snapshot } = folder;
    if (!snapshot) return;
    const settings = vscode.workspace.getConfiguration('steersman');
    const { asks, failures } = this.#news.of(folder.uri.toString(), {
      asks: snapshot.asks.map((ask) => ask.id), failures: snapshot.now.failed.map((run) => run.id),
    });
    for (const ask of snapshot.asks) {
      if (asks.includes(ask.id) && settings.get('notifyAsks', true)) void notifyAsk(folder, ask);
    }
    for (const run of snapshot.now.failed) {
      if (failures.includes(run.id) && settings.get('notifyFailures', false)) void notifyFailure(folder, run.id, run.hookId, run.errorLine ?? run.status);
    }
  }

  dispose(): void {
    this.#item.dispose();
  }
}

async function notifyAsk(folder: Folder, ask: Ask): Promise<void> {
  const once = vscode.l10n.t('Allow once');
  const session = vscode.l10n.t('Allow for the session');
  const deny = vscode.l10n.t('Deny');
  const explain = vscode.l10n.t('Explain');
  const reason = ask.reason ? ` — ${ask.reason.split('\n')[0] ?? ''}` : '';
  const chosen = await vscode.window.showWarningMessage(vscode.l10n.t('{0} asks: {1}{2}', ask.host, ask.call || ask.tool, reason), once, session, deny, explain);
  const node = { folder, row: { of: ask.id } };
  if (chosen === once) await vscode.commands.executeCommand('steersman.allowOnce', node);
  else if (chosen === session) await vscode.commands.executeCommand('steersman.allowSession', node);
  else if (chosen === deny) await vscode.commands.executeCommand('steersman.deny', node);
  else if (chosen === explain) await vscode.commands.executeCommand('steersman.explainAsk', node);
}

async function notifyFailure(folder: Folder, run: string, hook: string, why: string): Promise<void> {
  const show = vscode.l10n.t('Show output');
  const chosen = await vscode.window.showWarningMessage(vscode.l10n.t('The automation {0} failed: {1}', hook, why), show);
  if (chosen === show) await vscode.commands.executeCommand('steersman.openRun', { folder, row: { of: run } });
}

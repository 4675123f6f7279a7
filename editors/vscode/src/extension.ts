// The extension: one server and one set of views for the folders of the window.
import * as vscode from 'vscode';

import { Attention } from './attention';
import { findProgram } from './binary';
import { Blame } from './blame';
import { registerCommands } from './commands';
import { Documents, SCHEME } from './documents';
import { Folder } from './folder';
import { useTranslations } from './l10n';
import { Lenses } from './lens';
import { agentRows, askRows, automationRows, intentRows, sessionRows } from './nodes';
import { Problems } from './problems';
import { emitWillSave } from './saveEvents';
import { ScopeDecorations } from './scope';
import { View } from './tree';

let folders: Folder[] = [];

export function activate(context: vscode.ExtensionContext): void {
  useTranslations((message, ...args) => vscode.l10n.t(message, ...args));
  const log = vscode.window.createOutputChannel('steersman', { log: true });
  const documents = new Documents();
  const all = (): Folder[] => folders;
  const folderOf = (uri: vscode.Uri): Folder | undefined => {
    const owner = vscode.workspace.getWorkspaceFolder(uri);
    return folders.find((folder) => folder.uri.toString() === owner?.uri.toString());
  };
  const views = [
    new View('steersman.asks', all, askRows), new View('steersman.sessions', all, sessionRows), new View('steersman.intents', all, intentRows),
    new View('steersman.automations', all, automationRows), new View('steersman.agents', all, agentRows),
  ];
  const attention = new Attention(all);
  const lenses = new Lenses(folderOf);
  const scope = new ScopeDecorations(folderOf);
  let blame: Blame | undefined;
  let problems: Problems | undefined;

  const show = (): void => {
    for (const view of views) view.refresh();
    const asks = folders.reduce((sum, folder) => sum + (folder.snapshot?.asks.length ?? 0), 0);
    const tree = views[0]?.tree;
    if (tree) tree.badge = asks > 0 ? { value: asks, tooltip: asks === 1 ? vscode.l10n.t('One ask waits for you') : vscode.l10n.t('{0} asks wait for you', asks) } : undefined;
    attention.update();
    lenses.refresh();
    scope.refresh(folders);
    blame?.forget();
    documents.refresh('/session/');
    documents.refresh('/run/');
    const isUp = folders.some((folder) => folder.server.state !== 'stopped');
    if (folders.length > 0) void setState(isUp ? 'running' : isInitialised ? 'stopped' : 'uninitialised');
  };
  let isInitialised = false;

  /** Opens the folders of the window, once the person trusts them and the program is found. */
  const open = async (): Promise<void> => {
    if (!vscode.workspace.isTrusted) return;
    const setting = vscode.workspace.getConfiguration('steersman').get('path', '');
    const program = findProgram(setting, process.env.PATH ?? '', context.extensionPath);
    await vscode.commands.executeCommand('setContext', 'steersman.found', program !== undefined);
    if (!program) {
      log.warn(setting ? `the setting steersman.path names no program: ${setting}` : 'the program steersman was not found');
      return setState('noBinary');
    }
    if (!blame || !problems) {
      blame = new Blame(folderOf);
      problems = new Problems(folderOf);
      context.subscriptions.push(blame, problems, emitWillSave(folderOf));
    }
    for (const { uri, name } of vscode.workspace.workspaceFolders ?? []) {
      if (uri.scheme !== 'file' || folders.some((folder) => folder.uri.toString() === uri.toString())) continue;
      const folder = new Folder(uri, name, program, log);
      folder.onDidChange(show);
      folders.push(folder);
      const isUsed = await folder.usesSteersman();
      isInitialised ||= isUsed;
      if (isUsed && vscode.workspace.getConfiguration('steersman', uri).get('autoStart', true)) folder.server.start();
    }
    // The editor restores its tabs before a folder is known here.
    problems.checkOpenDocuments();
    show();
  };
  const reopen = async (): Promise<void> => {
    const old = folders;
    folders = [];
    await Promise.all(old.map((folder) => folder.server.dispose()));
    old.forEach((folder) => folder.dispose());
    await open();
  };

  let opening = Promise.resolve();
  // One after the other: a folder that two of them open at once would have two servers.
  const afterwards = (step: () => Promise<void>): void => {
    opening = opening.then(step).catch((error: unknown) => log.error(String(error)));
  };
  registerCommands({ context, folders: all, ready: () => opening, documents, log, toggleBlame: async () => blame?.toggle() });
  context.subscriptions.push(
    log, attention, scope, lenses.register(), scope.register(), ...views.map((view) => view.tree),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, documents),
    vscode.workspace.onDidGrantWorkspaceTrust(() => afterwards(open)),
    vscode.workspace.onDidChangeWorkspaceFolders(({ removed }) => afterwards(async () => {
      const isRemoved = (folder: Folder): boolean => removed.some(({ uri }) => uri.toString() === folder.uri.toString());
      folders.filter(isRemoved).forEach((folder) => folder.dispose());
      folders = folders.filter((folder) => !isRemoved(folder));
      await open();
    })),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('steersman.path')) afterwards(reopen);
      else if (event.affectsConfiguration('steersman')) show();
    }),
  );
  afterwards(open);
}

/** Stops the servers, so that the next window finds their locks free. */
export async function deactivate(): Promise<void> {
  await Promise.all(folders.map((folder) => folder.server.dispose()));
}

async function setState(state: string): Promise<void> {
  await vscode.commands.executeCommand('setContext', 'steersman.state', state);
}

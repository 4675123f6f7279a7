// Marks files outside of the selected intent's scope in the explorer.
import * as vscode from 'vscode';

import type { Folder } from './folder';

const DELAY_MS = 50;

export class ScopeDecorations implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeFileDecorations = this.#changed.event;
  readonly #known = new Map<string, boolean>();
  #shown = '';
  readonly #pending = new Map<Folder, Map<string, ((isIn: boolean) => void)[]>>();

  constructor(private readonly folderOf: (uri: vscode.Uri) => Folder | undefined) {}

  register(): vscode.Disposable {
    return vscode.window.registerFileDecorationProvider(this);
  }

  /** Forgets the answers if another intent is selected or its scope changed. */
  refresh(folders: Folder[]): void {
    const state = JSON.stringify(folders.map((folder) => selected(folder)));
    if (state === this.#shown) return;
    this.#shown = state;
    this.#known.clear();
    this.#changed.fire(undefined);
  }

  async provideFileDecoration(uri: vscode.Uri): Promise<vscode.FileDecoration | undefined> {
    const folder = this.folderOf(uri);
    const intent = folder && selected(folder);
    if (!intent || !folder || uri.scheme !== 'file' || !vscode.workspace.getConfiguration('steersman').get('decorateOutOfScope', true)) return undefined;
    const path = vscode.workspace.asRelativePath(uri, false);
    if (path === uri.fsPath || path === '') return undefined;
    // A folder may contain files in scope, so only files are marked.
    const stat = await vscode.workspace.fs.stat(uri).then((it) => it, () => undefined);
    if (stat?.type !== vscode.FileType.File) return undefined;
    const state = this.#shown;
    const isIn = this.#known.get(uri.toString()) ?? (await this.#ask(folder, path));
    // Another intent may be selected meanwhile; the editor then asks again.
    if (state === this.#shown) this.#known.set(uri.toString(), isIn);
    if (isIn) return undefined;
    const made = new vscode.FileDecoration('⊘', vscode.l10n.t('{0} may not write this file', intent.id), new vscode.ThemeColor('disabledForeground'));
    made.propagate = false;
    return made;
  }

  /** Checks many paths with one command. */
  #ask(folder: Folder, path: string): Promise<boolean> {
    return new Promise((resolve) => {
      let waiting = this.#pending.get(folder);
      if (!waiting) {
        waiting = new Map();
        this.#pending.set(folder, waiting);
        setTimeout(() => void this.#check(folder), DELAY_MS);
      }
      waiting.set(path, [...(waiting.get(path) ?? []), resolve]);
    });
  }

  async #check(folder: Folder): Promise<void> {
    const waiting = this.#pending.get(folder) ?? new Map<string, ((isIn: boolean) => void)[]>();
    this.#pending.delete(folder);
    let out = new Set<string>();
    try {
      const { paths } = await folder.cli.json<{ paths: { path: string; allowed: boolean }[] }>(['intent', 'check', '--json', '--', ...waiting.keys()]);
      out = new Set(paths.filter((it) => !it.allowed).map((it) => it.path));
    } catch {
      // Without an answer nothing is marked.
    }
    for (const [path, resolves] of waiting) for (const resolve of resolves) resolve(!out.has(path));
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function selected(folder: Folder): { id: string; scope: string[] } | undefined {
  const intent = folder.snapshot?.intents.intents.find((it) => it.selected);
  return intent && { id: intent.id, scope: intent.scope };
}

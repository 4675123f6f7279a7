// Read-only texts in editor tabs: timelines, explanations, outputs of runs, both sides of diffs.
import * as vscode from 'vscode';

export const SCHEME = 'steersman';

type Load = () => Promise<string> | string;

export class Documents implements vscode.TextDocumentContentProvider {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #loads = new Map<string, Load>();

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const load = this.#loads.get(uri.toString());
    try {
      return load ? await load() : '';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Returns the address of a text; it is loaded when a tab shows it. */
  at(path: string, load: Load, query = ''): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: path.startsWith('/') ? path : `/${path}`, query });
    this.#loads.set(uri.toString(), load);
    return uri;
  }

  async show(path: string, load: Load): Promise<vscode.TextEditor> {
    const uri = this.at(path, load);
    // A tab that is open shows the text as it was.
    this.#changed.fire(uri);
    return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  /** Loads the open tabs below a path again. */
  refresh(prefix: string): void {
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme === SCHEME && document.uri.path.startsWith(prefix)) this.#changed.fire(document.uri);
    }
  }

  async diff(title: string, path: string, before: Load, after: Load): Promise<void> {
    const [left, right] = this.#sides(path, before, after);
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: false });
  }

  /** Shows the changes of several files, one below the other. */
  async diffs(title: string, changes: { file: vscode.Uri; path: string; before: Load; after: Load }[]): Promise<void> {
    const resources = changes.map(({ file, path, before, after }) => [file, ...this.#sides(path, before, after)]);
    await vscode.commands.executeCommand('vscode.changes', title, resources);
  }

  /** Returns the addresses of both sides. They have one path: the editor calls a change of the path a renaming. */
  #sides(path: string, before: Load, after: Load): [vscode.Uri, vscode.Uri] {
    const sides: [vscode.Uri, vscode.Uri] = [this.at(path, before, 'before'), this.at(path, after)];
    sides.forEach((side) => this.#changed.fire(side));
    return sides;
  }
}

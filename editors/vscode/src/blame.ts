// Which intent and session wrote a line, at the end of the current line or of every line.
import * as vscode from 'vscode';

import type { BlameLine } from './api';
import type { Folder } from './folder';
import { escape } from './nodes';

const DELAY_MS = 250;

export class Blame implements vscode.Disposable, vscode.HoverProvider {
  readonly #style = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 3ch', fontStyle: 'italic' },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedOpen,
  });
  readonly #cache = new Map<string, { version: number; lines: Map<number, BlameLine> }>();
  readonly #disposables: vscode.Disposable[] = [this.#style];
  #timer: NodeJS.Timeout | undefined;
  /** Counts the changes of the workspace: an answer from before one is not cached after it. */
  #generation = 0;

  constructor(private readonly folderOf: (uri: vscode.Uri) => Folder | undefined) {
    const soon = (): void => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#show(), DELAY_MS);
    };
    this.#disposables.push(
      vscode.window.onDidChangeTextEditorSelection(soon),
      vscode.window.onDidChangeActiveTextEditor(soon),
      vscode.workspace.onDidSaveTextDocument((document) => {
        this.#cache.delete(document.uri.toString());
        soon();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('steersman.blame') && soon()),
      vscode.languages.registerHoverProvider({ scheme: 'file' }, this),
    );
    soon();
  }

  /** Forgets what the trace said, after a change of the workspace. */
  forget(): void {
    this.#cache.clear();
    this.#generation += 1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#show(), DELAY_MS);
  }

  async toggle(): Promise<void> {
    const settings = vscode.workspace.getConfiguration('steersman');
    const now = settings.get<string>('blame', 'line');
    await settings.update('blame', now === 'file' ? 'line' : 'file', vscode.ConfigurationTarget.Global);
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    if (mode() === 'off') return undefined;
    const folder = this.folderOf(document.uri);
    const line = (await this.#lines(document, folder)).get(position.line + 1);
    // Only behind the text, where the annotation is.
    if (!folder || !line?.intent || position.character < document.lineAt(position.line).text.length) return undefined;
    const intent = folder.snapshot?.intents.intents.find((it) => it.id === line.intent);
    const text = new vscode.MarkdownString(undefined, true);
    text.isTrusted = { enabledCommands: ['steersman.openTimeline'] };
    text.appendMarkdown(`**${escape(line.intent)}** ${escape(intent?.name ?? '')}${line.certain ? '' : ` ${vscode.l10n.t('(perhaps)')}`}\n\n`);
    if (intent?.description) text.appendMarkdown(`${escape(intent.description)}\n\n`);
    text.appendMarkdown(`${escape([line.tool, line.timestamp && new Date(line.timestamp).toLocaleString()].filter(Boolean).join(' · '))}\n\n`);
    if (line.session) {
      const args = encodeURIComponent(JSON.stringify([{ folderUri: folder.uri.toString(), row: { of: line.session }, at: line.timestamp }]));
      text.appendMarkdown(`[$(history) ${vscode.l10n.t('The turn in session {0}', line.session)}](command:steersman.openTimeline?${args})`);
    }
    return new vscode.Hover(text);
  }

  async #show(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || editor.document.uri.scheme !== 'file') return;
    const shown = mode();
    const lines = shown === 'off' || editor.document.isDirty ? new Map<number, BlameLine>() : await this.#lines(editor.document, this.folderOf(editor.document.uri));
    if (editor !== vscode.window.activeTextEditor) return;
    const wanted = shown === 'file' ? [...lines.values()] : [lines.get(editor.selection.active.line + 1)];
    const decorations = wanted.flatMap((line) => {
      if (!line?.intent || line.line > editor.document.lineCount) return [];
      const { range } = editor.document.lineAt(line.line - 1);
      return [{ range: new vscode.Range(range.end, range.end), renderOptions: { after: { contentText: annotation(line) } } }];
    });
    editor.setDecorations(this.#style, decorations);
  }

  async #lines(document: vscode.TextDocument, folder: Folder | undefined): Promise<Map<number, BlameLine>> {
    if (!folder || document.uri.scheme !== 'file') return new Map();
    const key = document.uri.toString();
    const known = this.#cache.get(key);
    if (known?.version === document.version) return known.lines;
    const [{ version }, generation] = [document, this.#generation];
    let lines: BlameLine[] = [];
    try {
      const file = vscode.workspace.asRelativePath(document.uri, false);
      ({ lines } = await folder.cli.json<{ lines: BlameLine[] }>(['trace', 'blame', file, '--json']));
    } catch {
      // A folder without a trace has no blame.
    }
    const found = new Map(lines.map((line) => [line.line, line]));
    if (generation === this.#generation) this.#cache.set(key, { version, lines: found });
    return found;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

function mode(): string {
  return vscode.workspace.getConfiguration('steersman').get('blame', 'line');
}

function annotation(line: BlameLine): string {
  const time = line.timestamp ? new Date(line.timestamp).toLocaleString() : '';
  return [`${line.intent ?? ''}${line.certain ? '' : '?'}`, line.session ?? '', time].filter(Boolean).join(' · ');
}

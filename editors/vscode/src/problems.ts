// Problems of steersman's own files from the program, and quick fixes from its hints.
import * as vscode from 'vscode';

import type { Problem } from './api';
import { CHECKED_FILES, checkOf } from './checkedFiles';
import type { Folder } from './folder';
import { fixOf } from './fix';

const SOURCE = 'steersman';

export class Problems implements vscode.Disposable, vscode.CodeActionProvider {
  readonly #collection = vscode.languages.createDiagnosticCollection(SOURCE);
  readonly #hints = new WeakMap<vscode.Diagnostic, string>();
  readonly #disposables: vscode.Disposable[] = [this.#collection];
  /** The newest check of each command in each folder: an older one that ends later must not show its result. */
  readonly #newest = new Map<string, number>();

  constructor(private readonly folderOf: (uri: vscode.Uri) => Folder | undefined) {
    const watcher = vscode.workspace.createFileSystemWatcher(CHECKED_FILES);
    // Agents and commands change the files, too.
    const changed = (uri: vscode.Uri): void => {
      const isShown = this.#collection.has(uri) || vscode.workspace.textDocuments.some((it) => it.uri.toString() === uri.toString());
      if (isShown) void this.check(uri);
    };
    this.#disposables.push(
      watcher, watcher.onDidChange(changed), watcher.onDidCreate(changed), watcher.onDidDelete((uri) => this.#collection.delete(uri)),
      vscode.workspace.onDidSaveTextDocument((document) => void this.check(document.uri)),
      vscode.workspace.onDidOpenTextDocument((document) => void this.check(document.uri)),
      vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, this, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }),
    );
  }

  checkOpenDocuments(): void {
    for (const document of vscode.workspace.textDocuments) void this.check(document.uri);
  }

  async check(uri: vscode.Uri): Promise<void> {
    const folder = this.folderOf(uri);
    if (!folder || uri.scheme !== 'file') return;
    const name = vscode.workspace.asRelativePath(uri, false);
    const check = checkOf(name);
    if (!check) return;
    const key = `${folder.uri.toString()} ${check.command.join(' ')}`;
    const turn = (this.#newest.get(key) ?? 0) + 1;
    this.#newest.set(key, turn);
    const found = await folder.cli.json<{ problems?: Problem[]; findings?: Finding[] }>(check.command).catch(() => undefined);
    if (!found || this.#newest.get(key) !== turn) return;
    const problems = found.problems ?? (found.findings ?? []).flatMap(toProblem);
    const byFile = new Map<string, Problem[]>([[name, []]]);
    for (const problem of problems) if (check.files.test(problem.file)) byFile.set(problem.file, [...(byFile.get(problem.file) ?? []), problem]);
    for (const [file, members] of byFile) {
      const target = vscode.Uri.joinPath(folder.uri, file);
      const document = await vscode.workspace.openTextDocument(target).then((it) => it, () => undefined);
      this.#collection.set(target, document ? members.map((problem) => this.#diagnostic(problem, document)) : []);
    }
  }

  #diagnostic(problem: Problem, document: vscode.TextDocument): vscode.Diagnostic {
    const line = Math.min(Math.max((problem.line ?? 1) - 1, 0), document.lineCount - 1);
    const start = new vscode.Position(line, Math.max((problem.column ?? 1) - 1, 0));
    const range = document.getWordRangeAtPosition(start, /"(?:[^"\\]|\\.)*"|[\w.-]+/) ?? new vscode.Range(start, document.lineAt(line).range.end);
    const message = problem.hint ? `${problem.message}\n${problem.hint}` : problem.message;
    const severity = problem.severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
    const made = new vscode.Diagnostic(range, message, severity);
    made.source = SOURCE;
    made.code = problem.code;
    if (problem.hint) this.#hints.set(made, problem.hint);
    return made;
  }

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const own = (this.#collection.get(document.uri) ?? []).filter((it) => it.range.intersection(range));
    return own.flatMap((diagnostic) => {
      const hint = this.#hints.get(diagnostic);
      const text = hint && fixOf(hint, document.getText(diagnostic.range));
      if (!text) return [];
      const action = new vscode.CodeAction(vscode.l10n.t('Change to {0}', text), vscode.CodeActionKind.QuickFix);
      action.diagnostics = [diagnostic];
      action.isPreferred = true;
      action.edit = new vscode.WorkspaceEdit();
      action.edit.replace(document.uri, diagnostic.range, text);
      return [action];
    });
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

interface Finding {
  level: string;
  message: string;
  file?: string | null;
  line?: number | null;
  column?: number | null;
  hint?: string | null;
}

function toProblem(finding: Finding): Problem[] {
  if (!finding.file || !['warning', 'wrong'].includes(finding.level)) return [];
  return [{
    severity: finding.level === 'wrong' ? 'error' : 'warning', code: 'doctor', file: finding.file, message: finding.message,
    ...(finding.line ? { line: finding.line } : {}), ...(finding.column ? { column: finding.column } : {}), ...(finding.hint ? { hint: finding.hint } : {}),
  }];
}

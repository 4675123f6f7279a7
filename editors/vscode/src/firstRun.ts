// First steps: init with its diff, doctor as a page, trust with its diff.
import * as vscode from 'vscode';

import type { TrustState } from './api';
import { reason } from './cli';
import type { Documents } from './documents';
import type { Folder } from './folder';
import { escape, inline } from './nodes';
import { applyDiff, parseDiff } from './unifiedDiff';

/** Shows every change that `init` would make, then asks. */
export async function init(folder: Folder, documents: Documents, options: string[] = []): Promise<void> {
  const planned = await folder.cli.run(['init', ...options, '--dry-run', '--yes']);
  const changes = parseDiff(planned.stdout);
  if (changes.length === 0) {
    void vscode.window.showInformationMessage(planned.code === 0 ? vscode.l10n.t('steersman init: nothing to change in {0}', folder.name) : reason(planned));
    return;
  }
  const sides = await Promise.all(changes.map(async (change) => {
    const uri = vscode.Uri.joinPath(folder.uri, change.file);
    const before = change.isNew ? '' : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    return { file: change.file, before, after: applyDiff(before, change) };
  }));
  await showChanges(documents, folder, 'init', vscode.l10n.t('steersman init'), sides);
  const write = vscode.l10n.t('Write {0} files', sides.length);
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('steersman init would change {0}.', sides.map((it) => it.file).join(', ')), write, vscode.l10n.t('Cancel'));
  if (chosen !== write) return;
  const ran = await folder.cli.run(['init', ...options, '--yes']);
  if (ran.code !== 0) throw new Error(reason(ran));
  if (await folder.usesSteersman()) folder.server.start();
  void vscode.window.showInformationMessage(vscode.l10n.t('steersman is registered in {0}. Restart your agent programs.', folder.name));
}

/** Shows what changed since the person last trusted the folder, then asks. */
export async function trust(folder: Folder, documents: Documents): Promise<void> {
  const state = await folder.cli.json<TrustState>(['trust', '--dry-run', '--json']);
  if (state.trusted) {
    void vscode.window.showInformationMessage(vscode.l10n.t('{0} is already trusted and unchanged.', folder.name));
    return;
  }
  const sides = state.changes.map((it) => ({ file: it.file, before: it.before ?? '', after: it.after ?? '' }));
  if (sides.length > 0) await showChanges(documents, folder, 'trust', vscode.l10n.t('since you trusted it'), sides);
  const { scripts, automations, agents, validations } = state.covers;
  const grant = vscode.l10n.t('Trust');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('Allow the own code of {0} to run in its present form: {1} automations, {2} scripts, {3} agents, {4} validations?',
      folder.name, automations.length, scripts.length, agents.length, validations.length), grant, vscode.l10n.t('Cancel'));
  if (chosen !== grant) return;
  if (folder.server.takesOrders) await folder.give({ do: 'trust', fingerprint: state.fingerprint });
  else await folder.cli.act(['trust']);
  folder.refresh();
}

/** Shows all changes in one tab, so that none hides behind another. */
async function showChanges(documents: Documents, folder: Folder, kind: string, what: string, sides: { file: string; before: string; after: string }[]): Promise<void> {
  await documents.diffs(`${folder.name} (${what})`, sides.map((side) => ({
    file: vscode.Uri.joinPath(folder.uri, side.file), path: `${kind}/${folder.name}/${side.file}`, before: () => side.before, after: () => side.after,
  })));
}

interface Doctor {
  ok: boolean;
  steersman: { version: string; path: string };
  findings: { section: string; level: string; message: string; hint: string | null }[];
}

const SIGNS: Record<string, string> = { fine: '✓', aside: '·', warning: '!', wrong: '✗' };

/** Returns the report of `doctor` as Markdown. */
export function doctorPage(name: string, doctor: Doctor): string {
  const { version, path } = doctor.steersman;
  const lines = [`# steersman doctor: ${escape(name)}`, '', `${doctor.ok ? '✓' : '✗'} steersman ${version} at \`${path}\``];
  let section = '';
  for (const finding of doctor.findings) {
    if (finding.section !== section) {
      section = finding.section;
      lines.push('', `## ${section.charAt(0).toUpperCase()}${section.slice(1)}`, '');
    }
    lines.push(`- ${SIGNS[finding.level] ?? '·'} ${inline(finding.message)}${finding.hint ? ` — *${inline(finding.hint)}*` : ''}`);
  }
  return lines.join('\n') + '\n';
}

/** Opens the report of `doctor` as a rendered page. */
export async function doctor(folder: Folder, documents: Documents): Promise<void> {
  const uri = documents.at(`doctor/${folder.name}.md`, async () => doctorPage(folder.name, await folder.cli.json<Doctor>(['doctor', '--json'])));
  documents.refresh(`/doctor/${folder.name}`);
  await vscode.commands.executeCommand('markdown.showPreview', uri);
}

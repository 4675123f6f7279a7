// The commands `steersman.*`.
import * as vscode from 'vscode';

import type { DefinitionChange, EndedRun, IntentStatus, Order, Snapshot } from './api';
import { applyDefinition } from './definitionFile';
import type { Documents } from './documents';
import { doctor, init, trust } from './firstRun';
import type { Folder } from './folder';
import { offerTrust, openForm } from './form/panel';
import { agentRows, askRows, automationRows, intentRows, type Row, sessionRows } from './nodes';

/** The argument of a command: from a view, a lens, a link, or nothing. */
interface Target {
  folder?: Folder;
  folderUri?: string;
  row?: { of?: string };
  /** A moment of the session that the timeline shows. */
  at?: string;
}

/** What the commands need of the extension. */
export interface Place {
  context: vscode.ExtensionContext;
  folders(): Folder[];
  /** Resolves when the folders of the window are opened. */
  ready(): Promise<void>;
  documents: Documents;
  log: vscode.LogOutputChannel;
  toggleBlame(): Promise<void>;
}

const NEXT: Record<IntentStatus, IntentStatus[]> = {
  PENDING: ['IN_PROGRESS'], IN_PROGRESS: ['COMPLETED', 'BLOCKED'], BLOCKED: ['IN_PROGRESS'], COMPLETED: [],
};

export function registerCommands(place: Place): void {
  const { documents } = place;
  const register = (name: string, run: (folder: Folder, of: string, target: Target) => Promise<void> | void): void => {
    const handler = async (target?: Target): Promise<void> => {
      try {
        await place.ready();
        const folder = target?.folder ?? place.folders().find((it) => it.uri.toString() === target?.folderUri) ?? (await choose(place.folders()));
        if (!folder) return;
        const of = target?.row?.of ?? (await chooseRow(folder, name));
        if (of !== undefined) await run(folder, of, target ?? {});
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        place.log.error(`${name}: ${message}`);
        void vscode.window.showErrorMessage(`steersman: ${message}`);
      }
    };
    place.context.subscriptions.push(vscode.commands.registerCommand(`steersman.${name}`, handler));
  };
  const orders = (name: string, order: (of: string) => Order): void => register(name, (folder, of) => folder.give(order(of)));

  register('init', (folder) => init(folder, documents));
  register('doctor', (folder) => doctor(folder, documents));
  register('trust', (folder) => trust(folder, documents));
  register('startServer', (folder) => folder.server.start());
  register('stopServer', (folder) => folder.server.stop());
  register('refresh', () => place.folders().forEach((folder) => folder.refresh()));
  register('openPage', async (folder) => {
    if (!folder.server.url) throw new Error(vscode.l10n.t('The server does not run.'));
    await vscode.env.openExternal(vscode.Uri.parse(folder.server.url));
  });
  place.context.subscriptions.push(vscode.commands.registerCommand('steersman.showLog', () => place.log.show()));
  place.context.subscriptions.push(vscode.commands.registerCommand('steersman.toggleBlame', () => place.toggleBlame()));

  orders('allowOnce', (ask) => ({ do: 'allow', ask, session: false }));
  orders('allowSession', (ask) => ({ do: 'allow', ask, session: true }));
  register('deny', async (folder, ask) => {
    const reason = await vscode.window.showInputBox({ title: vscode.l10n.t('Deny'), prompt: vscode.l10n.t('The model reads the reason. It may be empty.') });
    if (reason !== undefined) await folder.give({ do: 'deny', ask, reason: reason || null });
  });
  register('explainAsk', async (folder, of) => {
    const ask = folder.snapshot?.asks.find((it) => it.id === of);
    if (!ask) throw new Error(vscode.l10n.t('This ask does not wait any more.'));
    const isShell = /^(bash|shell|run_shell_command|run_in_terminal|execute)/i.test(ask.tool) || ask.call.includes(' ');
    await documents.show(`ask/${ask.id}.txt`, async () => {
      const head = [`${ask.host} ${ask.session}`, ask.tool, '', ask.call, '', ask.reason ?? ''].join('\n');
      const read = isShell ? (await folder.cli.run(['shell', 'explain', ask.call])).stdout : '';
      return read ? `${head}\n\n${read}` : head;
    });
  });
  register('answerAsks', async (folder) => {
    const asks = place.folders().flatMap((it) => (it.snapshot?.asks ?? []).map((ask) => ({ label: ask.call || ask.tool, description: ask.host, detail: ask.reason ?? '', ask, folder: it })));
    if (asks.length === 0) return void vscode.commands.executeCommand('steersman.asks.focus');
    const picked = asks.length === 1 ? asks[0] : await vscode.window.showQuickPick(asks, { title: vscode.l10n.t('Asks') });
    if (!picked) return;
    const answers = [
      { label: vscode.l10n.t('Allow once'), command: 'allowOnce' }, { label: vscode.l10n.t('Allow for the session'), command: 'allowSession' },
      { label: vscode.l10n.t('Deny'), command: 'deny' }, { label: vscode.l10n.t('Explain'), command: 'explainAsk' },
    ];
    const answer = await vscode.window.showQuickPick(answers, { title: picked.label, placeHolder: picked.detail });
    if (answer) await vscode.commands.executeCommand(`steersman.${answer.command}`, { folder: picked.folder ?? folder, row: { of: picked.ask.id } });
  });

  register('openTimeline', async (folder, sid, { at }) => {
    const editor = await documents.show(`session/${sid}.txt`, () => folder.cli.act(['session', 'show', sid, '--runs']));
    if (at) revealTurn(editor, await turnAt(folder, sid, Date.parse(at)));
  });
  register('explainLast', async (folder, sid) => {
    await documents.show(`explain/${sid || 'last'}.txt`, async () => folder.cli.act(['session', 'explain', (await lastStopped(folder, sid)) ?? 'last']));
  });
  orders('hold', (session) => ({ do: 'hold', session, reason: null }));
  orders('release', (session) => ({ do: 'release', session }));
  orders('holdAll', () => ({ do: 'hold', session: null, reason: null }));
  orders('releaseAll', () => ({ do: 'release', session: null }));

  register('selectIntent', async (folder, of) => {
    const open = (folder.snapshot?.intents.intents ?? []).filter((it) => it.status === 'PENDING' || it.status === 'IN_PROGRESS');
    const intent = of || (await vscode.window.showQuickPick(open.map((it) => ({ label: it.id, description: it.name, detail: it.scope.join(', ') })), { title: vscode.l10n.t('Select intent') }))?.label;
    if (intent) await folder.give({ do: 'select', intent });
  });
  orders('clearIntent', () => ({ do: 'clear' }));
  register('setIntentStatus', async (folder, intent) => {
    const now = folder.snapshot?.intents.intents.find((it) => it.id === intent)?.status ?? 'PENDING';
    const next = NEXT[now];
    if (next.length === 0) throw new Error(vscode.l10n.t('{0} is COMPLETED; add a new intent for more work.', intent));
    const status = await vscode.window.showQuickPick(next, { title: vscode.l10n.t('{0} is {1}', intent, now) });
    if (status) await folder.give({ do: 'set-status', intent, status: status as IntentStatus });
  });
  register('openIntents', async (folder) => {
    if (folder.snapshot?.intents.governed === false) await init(folder, documents, ['--intents']);
    else await openFile(folder, '.orchestration/active_intents.yaml');
  });
  register('openFile', (folder, path) => openFile(folder, path));
  const requestOf = (folder: Folder, of: string) => folder.snapshot?.intents.requests.find((it) => it.request === of);
  register('showRequest', async (folder, of) => {
    const request = requestOf(folder, of);
    if (!request) throw new Error(vscode.l10n.t('This request was answered already.'));
    const side = (sign: string): string => request.diff.filter((line) => line.sign !== sign).map((line) => line.text).join('\n');
    await documents.diff(vscode.l10n.t('{0} wants {1}', request.intent, request.pattern), `request/${of}/active_intents.yaml`, () => side('+'), () => side('-'));
  });
  const answerRequest = (name: string, verb: 'accept' | 'decline'): void => register(name, async (folder, of, target) => {
    // From the title of the diff editor the argument is an address.
    const path = (target as unknown as vscode.Uri | undefined)?.path ?? vscode.window.activeTextEditor?.document.uri.path ?? '';
    const request = of || (/\/request\/([^/]+)\//.exec(path)?.[1] ?? '');
    if (!request) throw new Error(vscode.l10n.t('This request was answered already.'));
    const owner = place.folders().find((it) => requestOf(it, request)) ?? folder;
    await owner.give({ do: verb, request });
  });
  answerRequest('acceptRequest', 'accept');
  answerRequest('declineRequest', 'decline');

  register('newAutomation', (folder) => openForm(place.context, folder, { kind: 'new' }));
  register('editAutomation', async (folder, id) => openForm(place.context, folder, { kind: 'edit', definition: await definitionOf(folder, id) }));
  register('duplicateAutomation', async (folder, id) => openForm(place.context, folder, { kind: 'duplicate', definition: await definitionOf(folder, id) }));
  register('openAutomation', async (folder, id) => {
    const { file, line } = await planEdit(folder, id, {});
    await openFile(folder, file ?? '.akira/hooks.json', line);
  });
  register('deleteAutomation', async (folder, id) => {
    const remove = vscode.l10n.t('Delete');
    if ((await vscode.window.showWarningMessage(vscode.l10n.t('Delete the automation {0}?', id), { modal: true }, remove)) !== remove) return;
    await write(folder, await folder.cli.json(['automation', 'remove', id, '--dry-run', '--json']));
  });
  const setEnabled = (name: string, enabled: boolean): void => register(name, async (folder, id) => write(folder, await planEdit(folder, id, { enabled })));
  setEnabled('enableAutomation', true);
  setEnabled('disableAutomation', false);
  register('runAutomation', async (folder, id) => {
    const row = folder.snapshot?.automations.automations.find((it) => it.id === id);
    if (row?.paused) await folder.give({ do: 'resume', automation: id });
    await folder.give({ do: 'run', automation: id });
  });
  orders('cancelRun', (run) => ({ do: 'cancel', run }));
  register('openRun', async (folder, run) => {
    await documents.show(`run/${run}.log`, async () => {
      const { record } = await folder.server.read<{ record: EndedRun & { logs?: string; error?: unknown } }>(`automations/runs/${run}`);
      const { logs, ...rest } = record;
      return `${logs ?? ''}\n\n${JSON.stringify(rest, null, 2)}\n`;
    });
  });
  register('emit', async (folder) => {
    const trigger = await vscode.window.showInputBox({ title: vscode.l10n.t('Emit an event'), prompt: vscode.l10n.t('The name of a trigger') });
    if (!trigger) return;
    const { triggers } = await folder.cli.json<{ triggers: string[] }>(['emit', trigger, '--json']);
    void vscode.window.showInformationMessage(triggers.length > 0 ? vscode.l10n.t('Triggered: {0}', triggers.join(', ')) : vscode.l10n.t('No automation has the trigger {0}.', trigger));
  });
  register('openAgent', async (folder, id) => {
    const path = folder.snapshot?.agents.find((it) => it.id === id)?.sourcePath;
    if (path) await vscode.window.showTextDocument(vscode.Uri.file(path));
  });
}

/** The rows from which a command chooses that was given none: by the keyboard, or by a menu whose row is gone. */
const ROWS: { commands: string[]; rows: (snapshot: Snapshot) => Row[]; kind: RegExp }[] = [
  { commands: ['allowOnce', 'allowSession', 'deny', 'explainAsk'], rows: askRows, kind: /^ask$/ },
  { commands: ['openTimeline', 'explainLast'], rows: sessionRows, kind: /^session/ },
  { commands: ['hold'], rows: sessionRows, kind: /^session$/ },
  { commands: ['release'], rows: sessionRows, kind: /^session\.held$/ },
  { commands: ['setIntentStatus'], rows: intentRows, kind: /^intent\./ },
  { commands: ['showRequest'], rows: intentRows, kind: /^request$/ },
  { commands: ['editAutomation', 'duplicateAutomation', 'deleteAutomation', 'openAutomation', 'runAutomation'], rows: automationRows, kind: /^automation/ },
  { commands: ['enableAutomation'], rows: automationRows, kind: /^automation\.off$/ },
  { commands: ['disableAutomation'], rows: automationRows, kind: /^automation\.on$/ },
  { commands: ['cancelRun'], rows: automationRows, kind: /^run\.open$/ },
  { commands: ['openRun'], rows: automationRows, kind: /^run/ },
  { commands: ['openAgent'], rows: agentRows, kind: /^agent\.file$/ },
];

/** Lets the person choose what a command is about. Returns nothing if they choose nothing, and '' if the command needs nothing. */
async function chooseRow(folder: Folder, command: string): Promise<string | undefined> {
  const source = ROWS.find(({ commands }) => commands.includes(command));
  if (!source) return '';
  const flat = (rows: Row[]): Row[] => rows.flatMap((row) => [row, ...flat(row.children ?? [])]);
  const rows = flat(folder.snapshot ? source.rows(folder.snapshot) : []).filter((row) => source.kind.test(row.kind));
  if (rows.length === 0) throw new Error(vscode.l10n.t('There is nothing to choose from.'));
  const picked = await vscode.window.showQuickPick(rows.map((row) => ({ label: row.label, description: row.description ?? '', of: row.of ?? '' })));
  return picked?.of;
}

async function choose(folders: Folder[]): Promise<Folder | undefined> {
  if (folders.length < 2) {
    if (folders.length === 0) throw new Error(vscode.workspace.isTrusted ? vscode.l10n.t('Open a folder first, and check the setting steersman.path.') : vscode.l10n.t('steersman starts nothing in a folder that you do not trust.'));
    return folders[0];
  }
  const picked = await vscode.window.showQuickPick(folders.map((folder) => ({ label: folder.name, description: folder.uri.fsPath, folder })), { title: vscode.l10n.t('Folder') });
  return picked?.folder;
}

async function openFile(folder: Folder, path: string, line?: number): Promise<void> {
  const at = line ? { selection: new vscode.Range(line - 1, 0, line - 1, 0) } : {};
  await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, path), at);
}

/** Plans an edit of a definition; without keys, reads it. */
function planEdit(folder: Folder, id: string, keys: Record<string, unknown>): Promise<DefinitionChange> {
  return folder.cli.json(['automation', 'edit', id, '--dry-run', '--json'], JSON.stringify({ id, ...keys }));
}

async function definitionOf(folder: Folder, id: string): Promise<Record<string, unknown>> {
  const { definition, problems } = await planEdit(folder, id, {});
  if (typeof definition !== 'object' || definition === null) throw new Error(problems[0]?.message ?? vscode.l10n.t('unknown automation {0}', id));
  return definition as Record<string, unknown>;
}

async function write(folder: Folder, change: DefinitionChange): Promise<void> {
  if (!change.valid) throw new Error(change.problems.map((it) => it.message).join(' · '));
  await applyDefinition(folder, change.diff ?? '');
  folder.refresh();
  await offerTrust(folder);
}

interface Turn {
  turn: number;
  ts: number;
  entries: { run?: string; decision?: string }[];
}

async function turnsOf(folder: Folder, sid: string): Promise<Turn[]> {
  return (await folder.cli.json<{ turns: Turn[] }>(['session', 'show', sid, '--json'])).turns;
}

/** Returns the number of the turn at a moment. */
async function turnAt(folder: Folder, sid: string, moment: number): Promise<number | undefined> {
  return (await turnsOf(folder, sid)).filter((it) => it.ts <= moment).at(-1)?.turn;
}

/** Moves to the heading of a turn in a timeline. */
function revealTurn(editor: vscode.TextEditor, turn: number | undefined): void {
  const line = editor.document.getText().split('\n').findIndex((text) => text.startsWith(`── turn ${turn ?? ''} `));
  if (line < 0) return;
  editor.selection = new vscode.Selection(line, 0, line, 0);
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.AtTop);
}

/** Returns the last stopped run of a session. */
async function lastStopped(folder: Folder, sid: string): Promise<string | undefined> {
  if (!sid) return undefined;
  const turns = await turnsOf(folder, sid);
  return turns.flatMap((turn) => turn.entries).filter((entry) => entry.decision === 'deny' || entry.decision === 'ask').at(-1)?.run;
}

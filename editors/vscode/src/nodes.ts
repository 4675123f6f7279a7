// Turns a snapshot into the rows of the views. Without the editor's API, so that unit tests can read it.
import type { Agent, AutomationRow, EndedRun, Intent, OpenRun, ScopeRequest, SessionCard, Snapshot } from './api';
import { t } from './l10n';

/** One row of a view. */
export interface Row {
  id: string;
  label: string;
  description?: string;
  /** The name of a codicon, and of a theme colour. */
  icon: string;
  colour?: string;
  tooltip?: string;
  /** What menus apply. */
  kind: string;
  children?: Row[];
  isExpanded?: boolean;
  /** The command of a click. */
  command?: string;
  /** The id of what the row stands for. */
  of?: string;
}

const RED = 'charts.red';
const YELLOW = 'charts.yellow';
const GREEN = 'charts.green';
const BLUE = 'charts.blue';
const FAINT = 'disabledForeground';

export function askRows(snapshot: Snapshot): Row[] {
  return snapshot.asks.map((ask) => ({
    id: `ask:${ask.id}`,
    of: ask.id,
    label: ask.call || ask.tool,
    description: t('{0} · denied at {1}', ask.host, when(ask.until)),
    icon: 'question',
    colour: YELLOW,
    tooltip: [`**${escape(ask.tool)}** ${t('by')} ${escape(ask.host)}`, code(ask.call), escape(ask.reason ?? '')].join('\n\n'),
    kind: 'ask',
    command: 'steersman.explainAsk',
  }));
}

/** How a session looks, and its state in words. */
function sessionLook(status: SessionCard['status']): { icon: string; colour: string; text: string } {
  switch (status) {
    case 'asking': return { icon: 'question', colour: YELLOW, text: t('waits for your decision') };
    case 'blocked': return { icon: 'error', colour: RED, text: t('blocked') };
    case 'held': return { icon: 'debug-pause', colour: RED, text: t('held') };
    case 'waiting': return { icon: 'bell', colour: YELLOW, text: t('waits for you') };
    case 'working': return { icon: 'sync', colour: GREEN, text: t('working') };
    default: return { icon: 'circle-outline', colour: FAINT, text: t('quiet') };
  }
}

export function sessionRows(snapshot: Snapshot): Row[] {
  return snapshot.now.sessions.map((session) => {
    const look = sessionLook(session.status);
    const since = session.waitingSince ?? session.lastEvent;
    return {
      id: `session:${session.sid}`,
      of: session.sid,
      label: `${session.host ?? t('unknown program')} ${session.sid}`,
      description: [since === undefined ? look.text : t('{0} since {1}', look.text, when(since)), session.doing].filter(Boolean).join(' · '),
      icon: look.icon,
      colour: look.colour,
      tooltip: [
        `**${escape(session.host ?? '')}** \`${session.sid}\``,
        t('turn {0} · {1} · {2} calls, {3} denied, {4} asked', session.turn, session.phase, session.toolCalls, session.denies, session.asks),
        code(session.doing),
        escape(session.problem ?? ''),
      ].filter(Boolean).join('\n\n'),
      kind: session.status === 'held' ? 'session.held' : 'session',
      command: 'steersman.openTimeline',
    };
  });
}

const INTENT: Record<Intent['status'], { icon: string; colour: string }> = {
  PENDING: { icon: 'circle-outline', colour: FAINT },
  IN_PROGRESS: { icon: 'play-circle', colour: GREEN },
  COMPLETED: { icon: 'pass', colour: BLUE },
  BLOCKED: { icon: 'error', colour: RED },
};

export function intentRows(snapshot: Snapshot): Row[] {
  const { intents, requests, problem } = snapshot.intents;
  const rows: Row[] = intents.map((intent) => intentRow(intent, requests));
  if (problem) {
    rows.unshift({ id: 'intent-problem', label: t('The intents file cannot be used'), description: problem, icon: 'error', colour: RED, tooltip: escape(problem), kind: 'problem', command: 'steersman.openIntents' });
  }
  return rows;
}

function intentRow(intent: Intent, requests: ScopeRequest[]): Row {
  const open = requests.filter((request) => request.intent === intent.id);
  const look = INTENT[intent.status] ?? INTENT.PENDING;
  const group = (name: string, label: string, icon: string, children: Row[]): Row[] =>
    children.length === 0 ? [] : [{ id: `${intent.id}:${name}`, label, description: String(children.length), icon, kind: 'group', children }];
  return {
    id: `intent:${intent.id}`,
    of: intent.id,
    label: `${intent.id} ${intent.name}`,
    description: [intent.selected ? t('selected') : '', intent.status, open.length === 1 ? t('one request') : open.length > 1 ? t('{0} requests', open.length) : ''].filter(Boolean).join(' · '),
    icon: intent.selected ? 'target' : look.icon,
    colour: open.length > 0 ? YELLOW : look.colour,
    tooltip: [`**${intent.id}** ${escape(intent.name)}`, escape(intent.description), t('{0} writes recorded', intent.nWrites)].filter(Boolean).join('\n\n'),
    kind: intent.status === 'PENDING' || intent.status === 'IN_PROGRESS' ? 'intent.selectable' : 'intent.closed',
    isExpanded: open.length > 0 || intent.selected,
    children: [
      ...open.map((request) => ({
        id: `request:${request.request}`,
        of: request.request,
        label: t('wants {0}', request.pattern),
        description: request.reason,
        icon: 'git-pull-request',
        colour: YELLOW,
        tooltip: escape(request.reason),
        kind: 'request',
        command: 'steersman.showRequest',
      })),
      ...group('scope', t('Scope'), 'list-tree', intent.scope.map((pattern) => ({
        id: `${intent.id}:scope:${pattern}`, label: pattern, icon: 'regex', kind: 'pattern',
      }))),
      ...group('files', t('Files'), 'files', intent.files.map((file) => ({
        id: `${intent.id}:file:${file.path}`, of: file.path, label: file.path,
        description: file.n === 1 ? t('written once') : t('written {0} times', file.n),
        icon: 'file', kind: 'file', command: 'steersman.openFile',
      }))),
    ],
  };
}

export function automationRows(snapshot: Snapshot): Row[] {
  const { automations, runs, history, problem } = snapshot.automations;
  const rows: Row[] = [];
  if (problem) {
    rows.push({ id: 'automation-problem', label: t('No automation runs'), description: problem, icon: 'shield', colour: YELLOW, tooltip: escape(problem), kind: 'problem', command: 'steersman.trust' });
  }
  if (runs.length > 0) {
    rows.push({ id: 'runs', label: t('Running and queued'), description: String(runs.length), icon: 'sync', colour: GREEN, kind: 'group', isExpanded: true, children: runs.map(openRunRow) });
  }
  const byTrigger = new Map<string, AutomationRow[]>();
  for (const row of automations) {
    const known = byTrigger.get(row.trigger);
    if (known) known.push(row);
    else byTrigger.set(row.trigger, [row]);
  }
  for (const [trigger, members] of byTrigger) {
    rows.push({ id: `trigger:${trigger}`, label: trigger, description: String(members.length), icon: 'zap', kind: 'group', isExpanded: true, children: members.map((row) => automationRow(row, runs, history)) });
  }
  return rows;
}

function automationRow(row: AutomationRow, runs: OpenRun[], history: EndedRun[]): Row {
  const last = row.latest.at(-1);
  const isRunning = runs.some((run) => run.hookId === row.id && run.status !== 'queued');
  const state = !row.enabled ? t('off') : row.paused ? t('paused') : row.impediment ? t('cannot run') : isRunning ? t('running') : (last ?? t('never ran'));
  const isBad = row.enabled && (row.impediment !== undefined || row.paused !== undefined || last === 'failed' || last === 'timeout');
  // An automation that cannot run now may have run before: its last run has its own word.
  const lastRun = row.lastRun && (last === undefined || state === last ? when(row.lastRun) : `${last} ${when(row.lastRun)}`);
  return {
    id: `automation:${row.id}`,
    of: row.id,
    label: row.label,
    description: [state, lastRun].filter(Boolean).join(' · '),
    icon: !row.enabled ? 'circle-slash' : isRunning ? 'sync' : isBad ? 'warning' : last === 'success' ? 'pass' : 'circle-outline',
    colour: !row.enabled ? FAINT : isBad ? RED : isRunning || last === 'success' ? GREEN : FAINT,
    tooltip: [`**${escape(row.label)}** \`${row.id}\``, t('{0} → {1}, {2} runs', [row.trigger, row.pattern].filter(Boolean).map((it) => escape(it ?? '')).join(' '), row.action, row.nRuns), escape(row.impediment ?? row.paused ?? '')].filter(Boolean).join('\n\n'),
    kind: row.enabled ? 'automation.on' : 'automation.off',
    command: 'steersman.editAutomation',
    children: history.filter((run) => run.hookId === row.id).slice(0, 5).map(endedRunRow),
  };
}

function openRunRow(run: OpenRun): Row {
  return {
    id: `run:${run.id}`, of: run.id, label: run.hookId,
    description: [run.status === 'queued' ? t('queued since {0}', when(run.since)) : t('running since {0}', when(run.since)), run.file ?? ''].filter(Boolean).join(' · '),
    icon: run.status === 'queued' ? 'watch' : 'sync', colour: GREEN, tooltip: escape(run.trigger), kind: 'run.open', command: 'steersman.openRun',
  };
}

function endedRunRow(run: EndedRun): Row {
  const isFine = run.status === 'success';
  return {
    id: `run:${run.id}`, of: run.id, label: run.status,
    description: [run.endTs ? when(run.endTs) : '', run.durationMs === undefined ? '' : span(run.durationMs), run.errorLine ?? ''].filter(Boolean).join(' · '),
    icon: isFine ? 'pass' : run.status === 'canceled' ? 'circle-slash' : 'error', colour: isFine ? GREEN : RED, kind: 'run.ended', command: 'steersman.openRun',
  };
}

/** Where an agent comes from. The command reports these two; both words are the specification's. */
export function agentSources(): { source: Agent['source']; label: string }[] {
  return [{ source: 'file', label: t('Local agents') }, { source: 'extension', label: t('Agents of extensions') }];
}

/** Why an agent cannot be used, and what to do. */
export function adviceFor(reason: string | undefined): string {
  switch (reason) {
    case 'FILE_DELETED': return t('its file was deleted: restore it, or choose another agent');
    case 'EXTENSION_UNINSTALLED': return t('its extension was removed: install it again, or choose another agent');
    case 'CLI_NOT_INSTALLED': return t('its program is not on the PATH: install it');
    case 'INVALID_SCHEMA': return t('its definition is invalid: open it and correct the problems');
    default: return t('unavailable: run doctor');
  }
}

export function agentRows(snapshot: Snapshot): Row[] {
  return agentSources().flatMap(({ source, label }) => {
    const members = snapshot.agents.filter((agent) => agent.source === source);
    if (members.length === 0) return [];
    return [{
      id: `source:${source}`, label, description: String(members.length), icon: source === 'file' ? 'folder' : 'extensions', kind: 'group', isExpanded: true,
      children: members.map((agent) => ({
        id: `agent:${agent.id}`,
        of: agent.id,
        label: agent.displayName,
        description: agent.available ? (agent.description ?? '') : adviceFor(agent.unavailableReason),
        icon: agent.available ? 'robot' : 'warning',
        colour: agent.available ? GREEN : RED,
        tooltip: [`**${escape(agent.displayName)}** \`${agent.id}\``, escape(agent.description ?? ''), agent.available ? '' : `${agent.unavailableReason ?? agent.state}: ${adviceFor(agent.unavailableReason)}`].filter(Boolean).join('\n\n'),
        kind: agent.sourcePath ? 'agent.file' : 'agent',
        ...(agent.sourcePath ? { command: 'steersman.openAgent' } : {}),
      })),
    }];
  });
}

/** The text of the status bar. */
export function summary(snapshots: Snapshot[]): { text: string; tooltip: string; isUrgent: boolean } {
  const all = <T>(of: (snapshot: Snapshot) => T[]): T[] => snapshots.flatMap(of);
  const asks = all((it) => it.asks).length;
  const running = all((it) => it.automations.runs).filter((run) => run.status !== 'queued').length;
  const failed = all((it) => it.now.failed).length;
  const held = all((it) => it.now.sessions).filter((session) => session.status === 'held').length;
  const intent = all((it) => it.intents.intents).find((it) => it.selected);
  const requests = all((it) => it.intents.requests).length;
  const parts: [number, string, string][] = [
    [asks, '$(question)', asks === 1 ? t('One ask waits for you') : t('{0} asks wait for you', asks)],
    [requests, '$(git-pull-request)', requests === 1 ? t('One scope request') : t('{0} scope requests', requests)],
    [held, '$(debug-pause)', held === 1 ? t('One session held') : t('{0} sessions held', held)],
    [running, '$(sync~spin)', running === 1 ? t('One automation running') : t('{0} automations running', running)],
    [failed, '$(error)', failed === 1 ? t('One automation failed lately') : t('{0} automations failed lately', failed)],
  ];
  const shown = parts.filter(([n]) => n > 0);
  const counts = shown.map(([n, icon]) => `${icon} ${n}`).join(' ');
  return {
    text: ['$(compass)', intent?.id ?? '', counts].filter(Boolean).join(' '),
    tooltip: ['steersman', intent ? t('intent {0} {1}', intent.id, intent.name) : t('no intent selected'), ...shown.map(([, , text]) => text)].join('\n'),
    isUrgent: asks > 0,
  };
}

/** Returns a span of milliseconds in one unit. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** Returns a time of the day, with the day if that is not today. A row with it stays true while nothing changes. */
function when(moment: number | string): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return String(moment);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString() : date.toLocaleString();
}

/** Escapes a text of others for Markdown. */
export function escape(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~]/g, '\\$&');
}

/** Escapes a text of the program for Markdown; what it quotes with backticks becomes code. */
export function inline(text: string): string {
  return text.split(/(`[^`]+`)/).map((part, index) => (index % 2 === 1 ? part : escape(part))).join('');
}

function code(text: string): string {
  const fence = '`'.repeat(Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  return text ? `${fence}text\n${text}\n${fence}` : '';
}

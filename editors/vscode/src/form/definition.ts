// The fields of the form, and the definition that they stand for.
import type { TriggerKind } from './variables';

/** Everything that the form shows, as texts and switches. */
export interface Fields {
  id: string;
  name: string;
  enabled: boolean;
  action: ActionType;
  /** The trigger of a prompt: an event's name. */
  event: string;
  pattern: string;
  every: string;
  cron: string;
  repoRoot: string;
  /** The trigger of other actions. */
  agent: string;
  operation: string;
  timing: string;
  prompt: string;
  agentId: string;
  agentType: string;
  /** The name by which an older definition chooses its agent. The form shows it and leaves it in the file. */
  agentName: string;
  arguments: string;
  command: string;
  gitOperation: string;
  message: string;
  push: boolean;
  githubOperation: string;
  repository: string;
  title: string;
  body: string;
  labels: string;
  issue: string;
  server: string;
  tool: string;
  toolArguments: string;
  runner: string;
  runnerDetail: string;
  concurrency: string;
  onBusy: string;
  timeoutMs: string;
  retries: string;
  rateRuns: string;
  ratePerMs: string;
}

export const ACTIONS = ['prompt', 'custom', 'agent', 'git', 'github', 'mcp', 'command'] as const;
export type ActionType = (typeof ACTIONS)[number];

export const EVENTS = [
  'onDidSaveTextDocument', 'onWillSaveTextDocument', 'onDidCreateFiles', 'onDidDeleteFiles', 'onDidRenameFiles',
  'gitCommit', 'specStatusChange', 'schedule', 'SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse',
  'PreCompact', 'Stop', 'SubagentStart', 'SubagentStop',
] as const;
export const OPERATIONS = [
  'research', 'datamodel', 'design', 'specify', 'clarify', 'plan', 'tasks', 'taskstoissues', 'analyze', 'checklist',
  'constitution', 'implementation', 'unit-test', 'integration-test',
] as const;
export const WORKSPACE_OPERATIONS = [
  'file-save', 'spec-status-change', 'git-commit', 'file-create', 'file-delete', 'file-rename', 'schedule',
] as const;
export const RUNNERS = ['', 'claude', 'copilot', 'codex', 'gemini', 'command', 'http'] as const;

type Json = Record<string, unknown>;

export function emptyFields(): Fields {
  return {
    id: '', name: '', enabled: true, action: 'prompt', event: 'onDidSaveTextDocument', pattern: '', every: '', cron: '',
    repoRoot: '.', agent: 'workspace', operation: 'file-save', timing: 'after', prompt: '', agentId: '', agentType: '', agentName: '', arguments: '',
    command: '', gitOperation: 'commit', message: '', push: false, githubOperation: 'open-issue', repository: '',
    title: '', body: '', labels: '', issue: '', server: '', tool: '', toolArguments: '', runner: '', runnerDetail: '',
    concurrency: '', onBusy: '', timeoutMs: '', retries: '', rateRuns: '', ratePerMs: '',
  };
}

/** Returns an id for a name: lower-case words with hyphens. */
export function idOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 100);
}

/** Returns the kind of the trigger, which decides about variables and fields. */
export function triggerKind(fields: Fields): TriggerKind {
  const name = fields.action === 'prompt' ? fields.event : fields.agent === 'workspace' ? fields.operation : 'speckit.x';
  switch (name) {
    case 'onDidSaveTextDocument': case 'onWillSaveTextDocument': case 'onDidCreateFiles': case 'onDidDeleteFiles':
    case 'file-save': case 'file-create': case 'file-delete': return 'file';
    case 'onDidRenameFiles': case 'file-rename': return 'rename';
    case 'gitCommit': case 'git-commit': return 'commit';
    case 'specStatusChange': case 'spec-status-change': return 'spec';
    case 'schedule': return 'schedule';
    case 'SessionStart': case 'UserPromptSubmit': case 'PreToolUse': case 'PostToolUse': case 'PreCompact': case 'Stop':
    case 'SubagentStart': case 'SubagentStop': return 'host';
    default: return /^(speckit|openspec)\./.test(name) ? 'operation' : 'custom';
  }
}

/** Returns the definition for `steersman automation add`. Keys without a value are left out. */
export function toDefinition(fields: Fields): Json {
  const kind = triggerKind(fields);
  const hasFiles = kind === 'file' || kind === 'rename' || kind === 'spec';
  return clean({
    id: fields.id || idOf(fields.name),
    name: fields.name,
    enabled: fields.enabled ? undefined : false,
    trigger: fields.action === 'prompt' ? fields.event : { agent: fields.agent, operation: fields.operation, timing: fields.timing },
    pattern: hasFiles ? oneOrMany(fields.pattern) : undefined,
    every: kind === 'schedule' ? fields.every : undefined,
    cron: kind === 'schedule' ? fields.cron : undefined,
    allowGit: kind === 'commit' ? true : undefined,
    repoRoot: kind === 'commit' ? fields.repoRoot : undefined,
    ...(fields.action === 'prompt' ? { prompt: fields.prompt } : { action: { type: fields.action, parameters: parametersOf(fields) } }),
    runner: runnerOf(fields),
    concurrency: number(fields.concurrency),
    onBusy: fields.onBusy,
    timeoutMs: number(fields.timeoutMs),
    retry: fields.retries ? { count: number(fields.retries) } : undefined,
    rateLimit: fields.rateRuns ? { runs: number(fields.rateRuns), perMs: number(fields.ratePerMs) ?? 60_000 } : undefined,
  });
}

function parametersOf(fields: Fields): Json {
  switch (fields.action) {
    case 'custom': return clean({ agentId: fields.agentId, agentType: fields.agentType, agentName: fields.agentName, prompt: fields.prompt, arguments: fields.arguments });
    case 'agent': return clean({ command: fields.command });
    case 'git': return clean({ operation: fields.gitOperation, messageTemplate: fields.message, pushToRemote: fields.push || undefined });
    case 'github': return clean({
      operation: fields.githubOperation, repository: fields.repository, titleTemplate: fields.title, bodyTemplate: fields.body,
      labels: lines(fields.labels), issueNumber: number(fields.issue),
    });
    case 'mcp': return clean({ serverId: fields.server, toolName: fields.tool, arguments: json(fields.toolArguments) });
    case 'command': return clean({ command: words(fields.command), input: fields.prompt });
    case 'prompt': return {};
  }
}

function runnerOf(fields: Fields): unknown {
  switch (fields.runner) {
    case '': return undefined;
    case 'command': return { type: 'command', command: words(fields.runnerDetail) ?? [] };
    case 'http': return { type: 'http', url: fields.runnerDetail };
    default: return fields.runnerDetail ? { type: fields.runner, model: fields.runnerDetail } : fields.runner;
  }
}

/** Returns the fields of a definition. */
export function toFields(definition: Json): Fields {
  const fields = emptyFields();
  const text = (value: unknown): string => (value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value));
  const list = (value: unknown): string => (Array.isArray(value) ? value.join('\n') : text(value));
  const inner = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
  Object.assign(fields, {
    id: text(definition.id), name: text(definition.name), enabled: definition.enabled !== false, pattern: list(definition.pattern),
    every: text(definition.every), cron: text(definition.cron), repoRoot: text(definition.repoRoot) || '.',
    concurrency: text(definition.concurrency), onBusy: text(definition.onBusy), timeoutMs: text(definition.timeoutMs),
    retries: text(inner(definition.retry).count), rateRuns: text(inner(definition.rateLimit).runs), ratePerMs: text(inner(definition.rateLimit).perMs),
  });
  const trigger = definition.trigger;
  if (typeof trigger === 'string') {
    fields.event = trigger;
    fields.prompt = text(definition.prompt);
  } else {
    const { agent, operation, timing } = inner(trigger);
    Object.assign(fields, { agent: text(agent), operation: text(operation), timing: text(timing) || 'after' });
    const action = inner(definition.action);
    const parameters = inner(action.parameters);
    fields.action = ACTIONS.find((name) => name === action.type) ?? 'custom';
    Object.assign(fields, {
      agentId: text(parameters.agentId), agentType: text(parameters.agentType), agentName: text(parameters.agentName), prompt: text(parameters.prompt ?? parameters.input),
      arguments: fields.action === 'mcp' ? '' : text(parameters.arguments),
      toolArguments: fields.action === 'mcp' ? text(parameters.arguments) : '',
      command: list(parameters.command), message: text(parameters.messageTemplate), push: parameters.pushToRemote === true,
      repository: text(parameters.repository), title: text(parameters.titleTemplate), body: text(parameters.bodyTemplate),
      labels: list(parameters.labels), issue: text(parameters.issueNumber), server: text(parameters.serverId), tool: text(parameters.toolName),
    });
    if (fields.action === 'git') fields.gitOperation = text(parameters.operation);
    if (fields.action === 'github') fields.githubOperation = text(parameters.operation);
  }
  const runner = definition.runner;
  if (typeof runner === 'string') fields.runner = runner;
  else if (runner) {
    const { type, command, url, model } = inner(runner);
    Object.assign(fields, { runner: text(type), runnerDetail: list(command ?? url ?? model) });
  }
  return fields;
}

const KEYS = ['name', 'enabled', 'trigger', 'pattern', 'every', 'cron', 'allowGit', 'repoRoot', 'prompt', 'action', 'runner', 'concurrency', 'onBusy', 'timeoutMs', 'retry', 'rateLimit'];

/** Returns the keys that `automation edit` must set, and those that it must remove (`null`). What the form does not show stays. */
export function changedKeys(before: Json, after: Json): Json {
  const shown = toDefinition(toFields(before));
  const changed: Json = {};
  for (const key of KEYS) {
    if (isSame(shown[key], after[key])) continue;
    changed[key] = (key === 'runner' ? mergedRunner(before[key], shown[key], after[key]) : merged(before[key], shown[key], after[key])) ?? null;
  }
  return changed;
}

/** Returns a definition with the changes of the form, for a copy of it. The counts of its runs are not copied. */
export function copyOf(before: Json, after: Json): Json {
  const copied = { ...before, ...changedKeys(before, after), id: after.id };
  const counts = ['createdAt', 'modifiedAt', 'lastExecutedAt', 'executionCount', 'lastExecutionStatus'];
  return Object.fromEntries(Object.entries(copied).filter(([key, value]) => value !== null && !counts.includes(key)));
}

/** Applies to a value in the file what the person changed between two values of the form. */
function merged(before: unknown, shown: unknown, after: unknown): unknown {
  // Another type of an action or runner has other keys.
  if (!isObject(before) || !isObject(shown) || !isObject(after) || shown.type !== after.type) return after;
  const result: Json = { ...before };
  for (const key of new Set([...Object.keys(shown), ...Object.keys(after)])) {
    if (isSame(shown[key], after[key])) continue;
    if (after[key] === undefined) delete result[key];
    else result[key] = merged(before[key], shown[key], after[key]);
  }
  return result;
}

/** Merges runners, whose name alone stands for settings without further keys. */
function mergedRunner(before: unknown, shown: unknown, after: unknown): unknown {
  const settings = (runner: unknown): unknown => (typeof runner === 'string' ? { type: runner } : runner);
  const result = merged(settings(before), settings(shown), settings(after));
  return isSame(result, settings(after)) ? after : result;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function clean(value: Json): Json {
  return Object.fromEntries(Object.entries(value).filter(([, it]) => it !== undefined && it !== ''));
}

function number(text: string): number | string | undefined {
  if (text.trim() === '') return undefined;
  const value = Number(text);
  // The program reports what is not a number, with the key.
  return Number.isFinite(value) ? value : text;
}

function lines(text: string): string[] | undefined {
  const all = text.split('\n').map((line) => line.trim()).filter(Boolean);
  return all.length > 0 ? all : undefined;
}

function oneOrMany(text: string): string | string[] | undefined {
  const all = lines(text);
  return all?.length === 1 ? all[0] : all;
}

/** One argument per line: no shell reads them, so nothing else separates them. */
function words(text: string): string[] | undefined {
  return lines(text);
}

function json(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

// The answers of `steersman serve` below /api/v1/ and of the commands with --json, as far as the extension reads them.

export interface Ask {
  id: string;
  session: string;
  host: string;
  agent: string;
  tool: string;
  call: string;
  reason?: string;
  opened: number;
  until: number;
}

export type SessionStatus = 'asking' | 'blocked' | 'held' | 'waiting' | 'working' | 'quiet';

export interface SessionCard {
  sid: string;
  host?: string;
  status: SessionStatus;
  waitingSince?: number;
  doing: string;
  started?: number;
  lastEvent?: number;
  turn: number;
  phase: string;
  toolCalls: number;
  denies: number;
  asks: number;
  problem?: string;
}

export interface OpenRun {
  id: string;
  hookId: string;
  status: string;
  since: number;
  attempts: number;
  trigger: string;
  file?: string;
}

export interface EndedRun {
  id: string;
  hookId: string;
  status: string;
  startTs?: string;
  endTs?: string;
  durationMs?: number;
  errorLine?: string;
}

export interface Now {
  workspace: string;
  sessions: SessionCard[];
  runs: OpenRun[];
  failed: EndedRun[];
  problem?: string;
}

export interface WrittenFile {
  path: string;
  n: number;
  last: string;
}

export type IntentStatus = 'PENDING' | 'IN_PROGRESS' | 'COMPLETED' | 'BLOCKED';

export interface Intent {
  id: string;
  name: string;
  description: string;
  status: IntentStatus;
  scope: string[];
  selected: boolean;
  files: WrittenFile[];
  nWrites: number;
}

export interface ScopeRequest {
  request: string;
  intent: string;
  pattern: string;
  reason: string;
  timestamp: string;
  diff: { sign: string; text: string }[];
}

export interface Intents {
  governed: boolean;
  problem?: string;
  intents: Intent[];
  requests: ScopeRequest[];
}

export interface AutomationRow {
  id: string;
  label: string;
  trigger: string;
  pattern?: string;
  action: string;
  enabled: boolean;
  impediment?: string;
  paused?: string;
  nRuns: number;
  lastRun?: string;
  latest: string[];
}

export interface Automations {
  problem?: string;
  automations: AutomationRow[];
  runs: OpenRun[];
  history: EndedRun[];
}

/** An agent as `steersman agent list --json` prints it. */
export interface Agent {
  id: string;
  name: string;
  displayName: string;
  description?: string;
  type: 'local' | 'background';
  source: 'file' | 'extension';
  sourcePath?: string;
  extensionId?: string;
  available: boolean;
  state: string;
  unavailableReason?: string;
}

/** All that the views show of one folder. */
export interface Snapshot {
  asks: Ask[];
  now: Now;
  intents: Intents;
  automations: Automations;
  agents: Agent[];
}

/** A problem of one of steersman's files. */
export interface Problem {
  severity: 'error' | 'warning';
  code: string;
  file: string;
  line?: number;
  column?: number;
  key?: string;
  message: string;
  hint?: string;
}

export interface BlameLine {
  line: number;
  author: string;
  intent?: string | null;
  session?: string | null;
  timestamp?: string | null;
  tool?: string | null;
  certain: boolean;
}

/** What `automation add|edit|remove --dry-run --json` prints. */
export interface DefinitionChange {
  valid: boolean;
  file?: string;
  line?: number;
  definition?: unknown;
  problems: Problem[];
  diff?: string;
}

/** What `trust --dry-run --json` prints. */
export interface TrustState {
  trusted: boolean;
  fingerprint: string;
  changes: { file: string; before: string | null; after: string | null }[];
  covers: { scripts: string[]; automations: string[]; agents: string[]; validations: string[] };
}

/** An order that only a person may give; the server's `POST /api/v1/editor`. */
export type Order =
  | { do: 'allow'; ask: string; session: boolean }
  | { do: 'deny'; ask: string; reason: string | null }
  | { do: 'run' | 'resume'; automation: string }
  | { do: 'cancel'; run: string }
  | { do: 'accept' | 'decline'; request: string }
  | { do: 'select'; intent: string }
  | { do: 'clear' }
  | { do: 'set-status'; intent: string; status: IntentStatus }
  | { do: 'hold'; session: string | null; reason: string | null }
  | { do: 'release'; session: string | null }
  | { do: 'trust'; fingerprint: string };

/** Returns the command that does the same where no server takes orders. Returns nothing for an order without a command. */
export function commandOf(order: Order): string[] | undefined {
  switch (order.do) {
    case 'allow': return ['ask', 'allow', order.ask, ...(order.session ? ['--session'] : [])];
    case 'deny': return ['ask', 'deny', order.ask, ...(order.reason ? ['--reason', order.reason] : [])];
    case 'run': return undefined;
    case 'resume': return ['automation', 'enable', order.automation];
    case 'cancel': return ['automation', 'cancel', order.run];
    case 'accept': return ['intent', 'expand', '--accept', order.request];
    case 'decline': return ['intent', 'expand', '--decline', order.request];
    case 'select': return ['intent', 'select', order.intent];
    case 'clear': return ['intent', 'clear'];
    case 'set-status': return ['intent', 'status', order.intent, order.status];
    case 'hold': return ['hold', order.session ?? '--all', ...(order.reason ? ['--reason', order.reason] : [])];
    case 'release': return ['release', order.session ?? '--all'];
    case 'trust': return undefined;
  }
}

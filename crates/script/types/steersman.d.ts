// What a hook module is given and what it may return.
//
// In a hook.mjs beside this file:
//
//   // @ts-check
//   /** @type {import('./steersman.d.ts').HookModule} */
//   export default { … };

/** The events an agent program reports. */
export type EventName =
  | 'SessionStart'
  | 'UserPromptSubmit'
  | 'PreToolUse'
  | 'PostToolUse'
  | 'PreCompact'
  | 'Stop'
  | 'SubagentStart'
  | 'SubagentStop';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Where a work unit stands. */
export type Phase = 'UNINITIALIZED' | 'PLANNING' | 'EXECUTING' | 'COMPLETE' | 'BLOCKED';

/** The default export of a `hook.mjs`. */
export interface HookModule {
  /** Unique; the module's key in `dispatch.manifest.json`. */
  name: string;
  /** The events this module wants to see. */
  supports: ReadonlySet<EventName> | readonly EventName[];
  /** Lower runs first. The manifest may override it. */
  priority?: number;
  /** If not true, the module is skipped on `PreToolUse`. */
  hotPathSafe?: boolean;
  /** If true, a failure of this module denies the tool call. */
  critical?: boolean;
  /** Answers one event. Returning nothing means having no opinion. */
  handle(eventName: EventName, ctx: HookContext): HookResult | Promise<HookResult>;
}

export type HookResult = HookAction | null | undefined | void;

/** What a module wants done. Every field is optional; unknown fields are an error. */
export interface HookAction {
  /** `PreToolUse` only. Leave it out to have no opinion; `deny` and `ask` end the pipeline. */
  decision?: 'allow' | 'ask' | 'deny';
  /** Why, and what to do instead: the model reads it. Required with `deny`. */
  denyReason?: string;
  /** The same under a name that fits `ask` better. */
  reason?: string;
  /** Stamps for the tool input. The `session` module only. */
  inputMetadata?: { [key: `_hook${string}`]: unknown };
  /** Fields of the tool input to overwrite. The manifest's `rewriteOwner` only. */
  updatedInput?: { [field: string]: unknown };
  /** Text for the model, on events whose host has a place for it. */
  additionalContext?: ContextNote[] | string;
  /**
   * A JSON merge patch for this module's own part of `state.json`, `features.<name of the module>`. Anything else in it
   * is ignored and reported as an error of the module.
   */
  statePatch?: { features: { [module: string]: { [key: string]: unknown } } };
  /** Records for `events.jsonl`. */
  emitEvents?: EventRecord[];
  /** Records for `registry.jsonl`. */
  registerArtifacts?: ArtifactRecord[];
  /** Sentences for people; they go into the log and the journal. */
  warnings?: string[];
  /** Numbers worth keeping, such as `{ ms: 3 }`. */
  metrics?: { [name: string]: unknown };
}

export interface ContextNote {
  key: string;
  value: string;
}

export interface EventRecord {
  /** Upper case with underscores, such as `LICENCE_CHECKED`. */
  type: string;
  [field: string]: unknown;
}

export interface ArtifactRecord {
  /** What it is, such as `planGraph`. */
  kind: string;
  /** Where it lies, relative to the workspace: see `ctx.paths.repoRelative`. */
  path: string;
  hash?: string;
  description?: string;
}

/** Everything about one event. Frozen: what is to change is returned, not assigned. */
export interface HookContext {
  readonly ids: HookIds;
  /** The agent program that asks, such as `claude-code`. */
  readonly host: string;
  readonly event: HookEvent;
  readonly paths: HookPaths;
  /** `state.json` as it was when the event arrived. */
  readonly state: HookState;
  /** This module's section of `config.json`. */
  readonly config: { readonly [key: string]: any };
  /** Folders of this module. */
  readonly feature: { readonly root: string; readonly logs: string; readonly output: string };
  readonly cap: HookCapabilities;
  readonly timers: {
    readonly startMs: number;
    readonly budgetMs: number;
    /** Milliseconds since the event arrived. */
    elapsed(): number;
  };
  /** Writes a line to this module's `logs/debug.log`. */
  log(level: LogLevel, msg: string, data?: unknown): void;
}

export interface HookIds {
  /** 8 hex digits. */
  readonly sessionId: string;
  /** `w001`, `w002`, … */
  readonly workId: string;
  /** `u00` is the main agent, `a01`… are its helpers. */
  readonly agentId: string;
  readonly turnId: number;
  readonly hookRunId: string;
}

/** What happened, in one shape for all hosts. What an event has nothing of is left out. */
export interface HookEvent {
  readonly name: EventName;
  readonly cwd?: string;
  readonly transcriptPath?: string;
  readonly model?: string;
  /** The host's own permission mode, as it spells it. */
  readonly permissionMode?: string;
  /** The role of the subagent it happened in; the main agent has none. */
  readonly agentType?: string;
  /** `SessionStart`: why it begins. */
  readonly source?: string;
  /** `UserPromptSubmit`: what was typed. */
  readonly prompt?: string;
  /** `PreCompact`: `manual` or `auto`. */
  readonly trigger?: string;
  /** `Stop`, `SubagentStop`: the last thing the agent said. */
  readonly message?: string;
  /** `Stop`, `SubagentStop`: whether a hook has already kept the agent from stopping in this turn. */
  readonly stopHookActive?: boolean;
  /**
   * `Stop`, `SubagentStop`: how often hooks kept the agent from stopping in this turn. After `maxKeptStops` times
   * (5 without the setting) the agent stops whatever a module decides.
   */
  readonly timesKept?: number;
  /** `PreToolUse`, `PostToolUse`: the tool, in the host's spelling. */
  readonly toolName?: string;
  /** What sort of tool it is, the same for all hosts. */
  readonly toolKind?: ToolKind;
  readonly toolUseId?: string;
  /** Its input exactly as the host sent it. */
  readonly toolInput?: any;
  /** The command line it runs, for shells. */
  readonly command?: string;
  /** Every path its input names. */
  readonly touches?: readonly Touch[];
  /** `PostToolUse`: what the tool gave back. */
  readonly toolResponse?: any;
  /** `PostToolUse`: what went wrong. */
  readonly error?: string;
}

export type ToolKind =
  | 'read'
  | 'write'
  | 'shell'
  | 'search'
  | 'fetch'
  | 'subagent'
  | 'mcp'
  | 'harmless'
  | 'unknown';

export interface Touch {
  /** As the host sent it: absolute or relative to `cwd`. */
  readonly path: string;
  readonly access: 'read' | 'write' | 'delete' | 'create-dir';
}

/** Absolute paths, and functions that make more of them. Nothing can be written there from a module. */
export interface HookPaths {
  readonly repoRoot: string;
  readonly hooksRoot: string;
  readonly workRoot: string;
  readonly sessionRoot: string;
  readonly stateFile: string;
  readonly eventsFile: string;
  readonly registryFile: string;
  readonly configFile: string;
  readonly policyFile: string;
  readonly followupRulesFile: string;
  readonly manifestFile: string;
  readonly schemaDir: string;
  /** The session's folder of one feature. */
  featureRoot(slug: string): string;
  featureLogs(slug: string): string;
  featureOutput(slug: string): string;
  /** The path relative to the session folder; unchanged if it is not inside. */
  relRef(absPath: string): string;
  /** The path relative to the repository; unchanged if it is not inside. */
  repoRelative(absPath: string): string;
}

export interface HookState {
  readonly core?: {
    readonly sessionId?: string;
    readonly workId?: string;
    readonly lastTurnId?: number;
    readonly phase?: Phase;
    readonly [field: string]: any;
  };
  readonly [section: string]: any;
}

export interface HookCapabilities {
  readonly neo4j?: {
    readonly enabled: boolean;
    readonly reachable: boolean;
    readonly schemaVersion?: string | null;
    readonly lastCheckTs?: number | null;
  };
  readonly [name: string]: any;
}

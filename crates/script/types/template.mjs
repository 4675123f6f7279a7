// @ts-check
// A hook module: it sees the agent's events and may have an opinion on them.
// It runs inside steersman, without Node: no network, no writing, little time.

// Files that only people change. Make it your own.
const GUARDED = /(^|\/)(LICENSE|\.env(\.\w+)?|.*\.lock)$/;

/** @type {import('./steersman.d.ts').HookModule} */
export default {
  name: '__NAME__',
  supports: ['PreToolUse'], // which events to see
  priority: 50, // lower runs first; the built-in guards come before 20
  hotPathSafe: true, // without this it is skipped on PreToolUse
  critical: false, // true: when this module fails, the tool call is denied

  async handle(eventName, ctx) {
    const touched = ctx.event.touches?.find(({ path, access }) => access !== 'read' && GUARDED.test(path));
    if (!touched) return; // no opinion

    const file = ctx.paths.repoRelative(touched.path);
    ctx.log('info', 'guarded file', { file, tool: ctx.event.toolName }); // this module's logs/debug.log
    return {
      decision: 'ask', // or 'deny'; a reason that says what to do instead saves a retry
      reason: `__NAME__ guards ${file}. Leave it as it is, or say why it has to change.`,
    };
  },
};

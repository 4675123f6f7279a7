// The one module of the comparison: it records the tool call and keeps the state.

export default {
  name: 'session',
  supports: new Set(['PreToolUse']),
  priority: 0,

  async handle(eventName, ctx) {
    const { event, state, ids } = ctx;
    const ts = Date.now();
    const turnId = state.core?.lastTurnId ?? 0;
    return {
      verdict: {},
      statePatch: {
        version: 1,
        core: { sessionId: ids.sessionId, workId: 'w001', lastTurnId: turnId, phase: 'EXECUTING' },
      },
      emitEvents: [
        {
          v: 1,
          type: 'TOOL_DECISION',
          ts,
          hookRunId: `${eventName}-${turnId}-${ts}`,
          sessionId: ids.sessionId,
          toolUseId: event.tool_use_id,
          tool: event.tool_name,
          input: event.tool_input,
          decision: 'abstain',
        },
      ],
    };
  },
};

// The module of the measurement: as small as a useful one can be.

const forbidden = 'forbidden-by-the-sample-module';

export default {
  name: 'sample',
  supports: new Set(['PreToolUse']),
  priority: 50,
  hotPathSafe: true,
  critical: false,

  async handle(eventName, ctx) {
    const command = ctx.event.toolInput?.command ?? '';
    if (command.includes(forbidden)) {
      return { decision: 'deny', denyReason: `the sample module denies ${forbidden}; run something else` };
    }
    return {};
  },
};

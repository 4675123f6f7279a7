// @ts-check
// Three rules of this project, in a dozen lines of JavaScript.
export default {
  name: 'house-rules',
  supports: new Set(['PreToolUse']),
  priority: 20,
  hotPathSafe: true,

  handle(_event, ctx) {
    const { toolName, toolInput, touches = [], command = '' } = ctx.event;
    const writes = touches.filter(touch => touch.access !== 'read').map(touch => touch.path);
    if (writes.some(path => path.includes('/migrations/'))) {
      return {
        decision: 'deny',
        denyReason: 'Released migrations must not be edited. Add a new file with the next number instead.',
      };
    }
    if (/\bnpm publish\b/.test(command)) {
      return { decision: 'ask', reason: 'This publishes the package to the public registry.' };
    }
    if (toolName === 'Grep' && !toolInput.glob) {
      return { updatedInput: { glob: 'src/**' }, warnings: ['search limited to src/'] };
    }
  },
};

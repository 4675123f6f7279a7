// @ts-check
// Keeps an agent from rewriting history that others have: a forced push to a
// protected branch is denied, to any other branch it is a person's decision.
// `--force-with-lease` without a protected branch passes: it cannot lose work.

const PROTECTED = ['main', 'master', 'release/*'];

/** Options of `git` itself that take the next word as their value. */
const WITH_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path']);

/** @type {import('./steersman.d.ts').HookModule} */
export default {
  name: 'no-force-push',
  supports: new Set(['PreToolUse']),
  priority: 50,
  hotPathSafe: true,
  critical: false,

  async handle(eventName, ctx) {
    const command = ctx.event.command;
    if (!command?.includes('push')) return;
    const guarded = ctx.config.protected ?? PROTECTED;
    for (const words of simpleCommands(command)) {
      const push = readPush(words);
      if (!push?.forced) continue;
      const branch = push.targets.find((target) => guarded.some((/** @type {string} */ glob) => matches(glob, target)));
      ctx.log('info', 'forced push', push);
      if (branch || push.everything) {
        return {
          decision: 'deny',
          denyReason: `A forced push to ${branch ?? 'all branches'} rewrites history others rely on. Push a new commit (git revert), or push to a branch of your own and open a pull request.`,
        };
      }
      if (push.lease && push.targets.length > 0) continue;
      return {
        decision: 'ask',
        reason: 'A forced push can lose commits on the server. Use --force-with-lease and name the branch, or let a person confirm.',
      };
    }
  },
};

/**
 * Splits a command line into simple commands, roughly: quotes are honoured,
 * substitutions are not looked into.
 * @param {string} line
 * @returns {string[][]}
 */
function simpleCommands(line) {
  const commands = [/** @type {string[]} */ ([])];
  for (const [, separator, single, double, bare] of line.matchAll(/([;&|\n()]+)|'([^']*)'|"((?:[^"\\]|\\.)*)"|([^\s;&|()'"]+)/g)) {
    if (separator !== undefined) commands.push([]);
    else commands[commands.length - 1].push(single ?? double ?? bare);
  }
  return commands.filter((words) => words.length > 0);
}

/**
 * Reads `git … push …`.
 * @param {string[]} words
 */
function readPush(words) {
  let at = words.findIndex((word) => /(^|\/)git$/.test(word)) + 1;
  if (at === 0) return undefined;
  while (words[at]?.startsWith('-')) at += WITH_VALUE.has(words[at]) ? 2 : 1;
  if (words[at] !== 'push') return undefined;
  const rest = words.slice(at + 1);
  const options = rest.filter((word) => word.startsWith('-'));
  const [, ...refs] = rest.filter((word) => !word.startsWith('-'));
  const lease = options.some((word) => word.startsWith('--force-with-lease'));
  const everything = options.some((word) => word === '--mirror' || word === '--all');
  const plain = options.some((word) => word === '--force' || word === '--mirror' || /^-[a-z]*f/.test(word));
  return {
    lease: lease && !plain,
    everything,
    forced: lease || plain || refs.some((ref) => ref.startsWith('+')),
    // `+src:dst` and `src:dst` write to dst.
    targets: refs.map((ref) => ref.replace(/^\+/, '').split(':').at(-1)?.replace(/^refs\/heads\//, '') ?? ''),
  };
}

/**
 * Holds a branch against a pattern in which `*` stands for anything.
 * @param {string} glob
 * @param {string} branch
 */
function matches(glob, branch) {
  const pattern = glob.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&')).join('.*');
  return new RegExp(`^${pattern}$`).test(branch);
}

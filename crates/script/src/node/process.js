const { process } = globalThis;
export const { platform, arch, argv, env, cwd } = process;
export default process;

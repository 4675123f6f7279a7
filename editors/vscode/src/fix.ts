// What a hint of the program tells to write instead.

/** Returns the replacement for a text that a hint names (`did you mean …?`, `write …`), or nothing. */
export function fixOf(hint: string, present: string): string | undefined {
  const named = /^(?:did you mean|write|use) `([^`]+)`\??$/.exec(hint.trim())?.[1];
  if (!named) return undefined;
  const quote = /^["']/.exec(present)?.[0];
  return quote && !/^["'[{]/.test(named) ? `${quote}${named}${quote}` : named;
}

// Where a file declares intents or automations.

export interface Declaration {
  id: string;
  /** From zero. */
  line: number;
}

/** Returns the lines with an `id`, in YAML or JSON. Comments do not count. */
export function declarations(text: string): Declaration[] {
  return text.split('\n').flatMap((content, line) => {
    const id = /^\s*(?:-\s*)?(?:\{\s*)?"?id"?\s*:\s*["']?([^"',#\s}]+)/.exec(content)?.[1];
    return id ? [{ id, line }] : [];
  });
}

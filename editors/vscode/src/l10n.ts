// Translates messages. The modules without the editor's API use it too, so that unit tests can load them.

type Translate = (text: string, ...args: (string | number)[]) => string;

let translate: Translate = format;

function format(text: string, ...args: (string | number)[]): string {
  return text.replace(/\{(\d+)\}/g, (_, index: string) => String(args[Number(index)] ?? ''));
}

/** Uses the messages of a table where the editor's API is out of reach. */
export function useMessages(table: Record<string, string>): void {
  translate = (text, ...args) => format(table[text] ?? text, ...args);
}

/** Uses the editor's translations. */
export function useTranslations(of: Translate): void {
  translate = of;
}

/** Returns a message in the user's language. */
export function t(text: string, ...args: (string | number)[]): string {
  return translate(text, ...args);
}

/** Marks a message of a table, which is translated where it is shown. */
export function message(text: string): string {
  return text;
}

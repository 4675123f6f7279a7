// Translates messages. The modules without the editor's API use it too, so that unit tests can load them.

type Translate = (message: string, ...args: (string | number)[]) => string;

let translate: Translate = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (_, index: string) => String(args[Number(index)] ?? ''));

/** Uses the editor's translations. */
export function useTranslations(of: Translate): void {
  translate = of;
}

/** Returns a message in the user's language. */
export function t(message: string, ...args: (string | number)[]): string {
  return translate(message, ...args);
}

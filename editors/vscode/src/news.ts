// What a person has not been notified of yet. Without the editor's API, so that unit tests can read it.

/** The ids of the asks and of the failed runs of a folder. */
export interface Events {
  asks: string[];
  failures: string[];
}

export class News {
  /** What each folder had last. Only that: a window that stays open for days must not collect every id. */
  readonly #known = new Map<string, Events>();

  /** Returns what is new in a folder. Failures from before the window opened the folder are no news; an ask still waits. */
  of(folder: string, present: Events): Events {
    const known = this.#known.get(folder);
    this.#known.set(folder, present);
    return {
      asks: present.asks.filter((id) => !known?.asks.includes(id)),
      failures: known ? present.failures.filter((id) => !known.failures.includes(id)) : [],
    };
  }
}

/** A name with its count and the first few questions that it was counted for. */
export interface Tallied {
  readonly name: string;
  readonly count: number;
  readonly ids: readonly string[];
}

const mostNames = 10_000;
const mostIds = 3;

/** A tally of names with bounded memory: once it holds very many names, new ones are ignored. */
export class Tally {
  readonly #entries = new Map<string, { name: string; count: number; ids: string[] }>();

  /** Counts a name for a question. */
  add(name: string, id: string): void {
    let entry = this.#entries.get(name);
    if (entry === undefined) {
      if (this.#entries.size >= mostNames) return;
      entry = { name, count: 0, ids: [] };
      this.#entries.set(name, entry);
    }
    entry.count += 1;
    if (entry.ids.length < mostIds && !entry.ids.includes(id)) entry.ids.push(id);
  }

  /** Returns the most frequent names; of equals, the first counted comes first. */
  top(most: number): Tallied[] {
    return Array.from(this.#entries.values())
      .toSorted((a, b) => b.count - a.count)
      .slice(0, most);
  }

  /** The count of all names together. */
  get total(): number {
    return this.#entries.values().reduce((sum, { count }) => sum + count, 0);
  }
}

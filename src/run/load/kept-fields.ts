import { shorten } from '../../lib/terminal-text.ts';

/** Something that the user should know of and that stops nothing. */
export interface LoadNotice {
  readonly message: string;
}

const mostNames = 20;
const longestName = 60;

/** Which fields went to metadata, and in how many rows. */
export class KeptFields {
  readonly #names = new Set<string>();
  #hasMore = false;
  #rows = 0;

  /** Counts a row and remembers the names of its fields that went to metadata. */
  add(names: readonly string[]): void {
    if (names.length > 0) this.#rows += 1;
    for (const name of names) {
      if (this.#names.size < mostNames) this.#names.add(name);
      else if (!this.#names.has(name)) this.#hasMore = true;
    }
  }

  /** Tells of all of them in one sentence; says nothing when there are none. */
  report(onNotice: (notice: LoadNotice) => void): void {
    if (this.#rows === 0) return;
    const names = Array.from(this.#names, (name) => shorten(name, longestName)).join(', ');
    const rows = this.#rows === 1 ? '1 row' : `${this.#rows} rows`;
    onNotice({ message: `Kept as metadata: ${names}${this.#hasMore ? ' and others' : ''} (${rows})` });
  }
}

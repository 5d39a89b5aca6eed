import type { RunScorecard } from '../../schema/run.ts';
import type { Criterion } from '../../schema/verdict.ts';

/** A name with how often it was counted and the first few questions it was counted for. */
export interface Tallied {
  readonly name: string;
  readonly count: number;
  readonly ids: readonly string[];
}

const mostNames = 10_000;
const mostIds = 3;

/** Counts names. Memory is bounded: once very many different ones are known, new ones are no longer taken up. */
export class Tally {
  readonly #entries = new Map<string, { name: string; count: number; ids: string[] }>();

  /** Counts a name once more, for a question. */
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

  /** The names counted most often, first counted first where equal. */
  top(most: number): Tallied[] {
    return Array.from(this.#entries.values())
      .toSorted((a, b) => b.count - a.count)
      .slice(0, most);
  }

  /** How often any name was counted. */
  get total(): number {
    return this.#entries.values().reduce((sum, { count }) => sum + count, 0);
  }
}

/** The criteria of a scorecard that decide something: by a weight, or because a trial needs them. */
export function countedCriteria(scorecard: RunScorecard | null): Criterion[] {
  const conditions = new Set((scorecard?.outcomes ?? []).flatMap(({ when }) => when ?? []));
  return (scorecard?.criteria ?? []).filter(
    ({ name, weight, required, caps }) =>
      weight > 0 || required || caps !== undefined || conditions.has(name),
  );
}

/** Whether a criterion, by its name, decides something. */
export function isCounted(scorecard: RunScorecard | null, name: string): boolean {
  return countedCriteria(scorecard).some((criterion) => criterion.name === name);
}

import { isContainer } from '../core/lib/json/is-container.ts';
import type { Subject } from '../core/schema/review/label.ts';
import { recordsOfRun } from '../stores/shared/shared-records.ts';
import type { Store } from '../stores/store.ts';

/** The answers whose verdicts a page has shown. The store keeps them, for as long as it keeps the run. */
export interface ShownAnswers {
  /** Adds an answer, or all from one to another. */
  add(run: string, ordinal: number, last?: number): void;
  /** Adds all answers to a case in a run, for a page that shows how the case turned out. */
  addCase(run: string, caseId: string): void;
  /** Adds every answer that JSON names: an object with an `ordinal`, in one with a `run` or being one. */
  addAll(json: unknown): void;
  /** Resolves when the store has saved all that was added. A store that cannot be written to leaves them to this process. */
  settle(): Promise<void>;
  has(answer: Partial<Pick<Subject, 'run' | 'ordinal' | 'caseId'>>): Promise<boolean>;
}

/** The answers of one run that were shown, as the store keeps them. */
interface ShownRecord {
  /** The first and the last ordinal of each range without a gap, in ascending order. */
  readonly ranges: readonly (readonly [number, number])[];
  readonly cases: readonly string[];
}

const none: ShownRecord = { ranges: [], cases: [] };

/**
 * Creates the memory of what was shown. A person who has seen the verdict on an answer is not
 * blind to it: labels that are given afterwards record that.
 * @param person - Returns the name of the person who asks, on a server that knows it. Otherwise what was shown to one counts as shown to
 * all.
 */
export function createShownAnswers(
  openStore: () => Promise<Store>,
  person: () => string | undefined = () => undefined,
): ShownAnswers {
  const shown = new Map<string, ShownRecord>();
  const changed = new Set<string>();
  const add = (run: string, { ranges = [], cases = [] }: Partial<ShownRecord>) => {
    const name = nameOf(run, person());
    const known = shown.get(name) ?? none;
    const next = merge(known, { ranges, cases });
    if (next === known) return;
    shown.set(name, next);
    changed.add(name);
  };
  const keep = async (name: string) => {
    const own = shown.get(name) ?? none;
    const { shared } = await openStore();
    const value = await shared.change<ShownRecord, ShownRecord>(name, (kept = none) => {
      const next = merge(kept, own);
      return { value: next, result: next };
    });
    shown.set(name, merge(shown.get(name) ?? none, value));
  };
  return {
    add: (run, ordinal, last = ordinal) => add(run, { ranges: [[ordinal, last]] }),
    addCase: (run, caseId) => add(run, { cases: [caseId] }),
    addAll: (json) => {
      for (const { run, ordinal } of answersIn(json, undefined)) add(run, { ranges: [[ordinal, ordinal]] });
    },
    settle: async () => {
      const names = [...changed];
      changed.clear();
      // What cannot be saved is remembered by this process all the same.
      await Promise.allSettled(names.map(keep));
    },
    has: async ({ run, ordinal, caseId }) => {
      if (run === undefined) return false;
      const name = nameOf(run, person());
      const listed = await (await openStore()).shared.list<ShownRecord>(name);
      const kept = listed.find((record) => record.name === name)?.value ?? none;
      const { ranges, cases } = merge(shown.get(name) ?? none, kept);
      const isIn = ([first, last]: readonly [number, number]) =>
        ordinal !== undefined && first <= ordinal && ordinal <= last;
      return ranges.some(isIn) || (caseId !== undefined && cases.includes(caseId));
    },
  };
}

function nameOf(run: string, person: string | undefined): string {
  return `${recordsOfRun(run)}shown${person === undefined ? '' : `/${person}`}`;
}

/** Merges two records; returns the first one where the second adds nothing. */
function merge(one: ShownRecord, other: ShownRecord): ShownRecord {
  const ranges: [number, number][] = [];
  for (const [first, last] of [...one.ranges, ...other.ranges].toSorted(([a], [b]) => a - b)) {
    const before = ranges.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else ranges.push([first, last]);
  }
  const cases = [...new Set([...one.cases, ...other.cases])];
  const isSame =
    cases.length === one.cases.length &&
    ranges.length === one.ranges.length &&
    ranges.every(([first, last], index) => one.ranges[index]?.[0] === first && one.ranges[index][1] === last);
  return isSame ? one : { ranges, cases };
}

function* answersIn(json: unknown, around: string | undefined): Generator<{ run: string; ordinal: number }> {
  if (!isContainer(json)) return;
  const { run: named, ordinal } = json as { readonly run?: unknown; readonly ordinal?: unknown };
  const run = typeof named === 'string' ? named : around;
  if (run !== undefined && typeof ordinal === 'number') yield { run, ordinal };
  for (const part of Object.values(json)) yield* answersIn(part, run);
}

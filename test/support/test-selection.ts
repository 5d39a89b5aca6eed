import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeGlob } from '../../src/core/lib/compile-glob.ts';
import type { Result } from '../../src/core/schema/result.ts';
import type { Run } from '../../src/core/schema/run.ts';
import { columnsInMemory, selectInMemory } from '../../src/core/trials/select-in-memory.ts';
import type {
  ColumnQuery,
  CountQuery,
  TrialCount,
  TrialCursor,
  TrialPage,
  TrialQuery,
} from '../../src/core/trials/trial-queries.ts';
import { createFieldReader, matchResults } from '../../src/core/trials/trial-values.ts';
import type { Store } from '../../src/stores/store.ts';
import { randomFilter, randomSort } from './random-filters.ts';
import { type RandomRun, randomRun, runOfCategories, storeRandomRun } from './random-trials.ts';

type OpenStore = () => Promise<Store>;

/** A run in a store in SQL, and the same run in memory. */
interface StoredRandomRun {
  readonly store: Store;
  readonly run: Run;
  readonly results: readonly Result[];
}

/** Writes a run into the SQL store, under an id of its own, and reads it. */
async function storeInSql(openInSql: OpenStore, random: RandomRun): Promise<StoredRandomRun> {
  const run = { ...random.run, id: `run-${randomUUID()}` };
  const store = await openInSql();
  await storeRandomRun(store, { ...random, run });
  return { store, run, results: await Array.fromAsync(store.readResults(run.id)) };
}

/** Returns a part of a list of trials. */
type Select = (query: TrialQuery) => TrialPage | Promise<TrialPage>;

/** Reads a whole list page by page. */
async function readPages(select: Select, query: TrialQuery): Promise<TrialPage['rows']> {
  const rows: TrialPage['rows'][number][] = [];
  for (let after: TrialCursor | undefined; ; ) {
    const page = await select({ ...query, ...(after && { after }) });
    rows.push(...page.rows);
    if (page.next === null) return rows;
    expect(page.rows).toHaveLength(query.limit);
    after = page.next;
  }
}

/** Returns how a list is selected by SQL, and how in memory. */
function selectorsOf({ store, run, results }: StoredRandomRun): readonly [inSql: Select, inMemory: Select] {
  return [
    async (query) => await store.selectTrials(run.id, query),
    (query) => selectInMemory(run, results, query),
  ];
}

const listing = fc.record({
  random: randomRun,
  where: randomFilter,
  sort: randomSort,
  fold: fc.boolean(),
  limit: fc.constantFrom(1, 2, 3, 200),
});

/**
 * Registers tests that hold the lists, columns and counts of a store in SQL against those that are made in memory of the same results,
 * as in a report of one file, for random runs and filters.
 * @param open - Returns the store in SQL; its runs stay.
 * @param numRuns - The number of random runs of each test, or a third of it.
 */
export function testSelection(name: string, open: OpenStore, numRuns: number): void {
  testWildcards(name, open);
  testLists(name, open, numRuns);
  testColumns(name, open, numRuns);
  testCounts(name, open, numRuns);
}

function testWildcards(name: string, open: OpenStore): void {
  test(`${name} and memory agree on stars, backslashes and the wildcards of LIKE, escaped or not`, async () => {
    const texts = ['a*b', 'axb', String.raw`a\b`, String.raw`a\*b`, 'a%b', 'a_b', '*', '%', '_', '\\', 'ä*b'];
    const patterns = [
      ...texts,
      ...texts.map(escapeGlob),
      String.raw`a\*`,
      String.raw`*\**`,
      String.raw`*\\*`,
    ];
    const [inSql, inMemory] = selectorsOf(await storeInSql(open, runOfCategories(texts)));
    for (const field of ['category', 'answer']) {
      for (const operator of ['=', '!=', '~'] as const) {
        for (const value of patterns) {
          const where = [{ field, operator, values: [value] }];
          const found = (await readPages(inSql, { where, limit: 200 })).map(({ category }) => category);
          const expected = await readPages(inMemory, { where, limit: 200 });
          expect([value, found]).toEqual([value, expected.map(({ category }) => category)]);
          // A text whose wildcards are escaped matches itself alone.
          const isOneText = operator === '=' && texts.map(escapeGlob).includes(value);
          const escaped = found.map((text) => escapeGlob(text ?? ''));
          expect(escaped).toEqual(isOneText ? [value] : escaped);
        }
      }
    }
  });
}

function testLists(name: string, open: OpenStore, numRuns: number): void {
  test(`${name} and memory list the same trials in the same order, page by page`, async () => {
    await fc.assert(
      fc.asyncProperty(listing, async ({ random, ...query }) => {
        const [inSql, inMemory] = selectorsOf(await storeInSql(open, random));
        const expected = await readPages(inMemory, query);
        expect(await readPages(inSql, query)).toEqual(expected);
        expect(await readPages(inSql, { ...query, limit: 200 })).toEqual(expected);
      }),
      { numRuns: 3 * numRuns },
    );
  });
}

function testColumns(name: string, open: OpenStore, numRuns: number): void {
  /** Reads columns from the store and in memory. */
  async function readBoth(random: RandomRun, query: ColumnQuery) {
    const { store, run, results } = await storeInSql(open, random);
    const inSql = (await Array.fromAsync(store.readColumns(run.id, query))).flat();
    return [inSql, columnsInMemory(run, results, query)];
  }

  test(`${name} and memory read the same columns of the same trials`, async () => {
    const columns = fc.shuffledSubarray([
      'total',
      'passed',
      'result',
      'category',
      'tag',
      'id',
      'metric.cost',
      'metric.$odd"[0]',
      'metrics',
      'retries',
    ]);
    const filter = fc.oneof(randomFilter, fc.constant([]));
    await fc.assert(
      fc.asyncProperty(randomRun, filter, columns, async (random, where, chosen) => {
        const [inSql, inMemory] = await readBoth(random, { where, columns: chosen });
        expect(inSql).toEqual(inMemory);
      }),
      { numRuns: 2 * numRuns },
    );
  });

  test(`${name} and memory read columns of more trials than are read at a time, where some are missing`, async () => {
    const { results, ...random } = runOfCategories(Array.from({ length: 2500 }, (_, index) => `c${index}`));
    const some = results.filter(({ trial: { ordinal } }) => ordinal % 5 !== 3);
    const [inSql, inMemory] = await readBoth(
      { ...random, results: some },
      { columns: ['status', 'id', 'category', 'total'] },
    );
    expect(inSql).toHaveLength(2000);
    expect(inSql).toEqual(inMemory);
  });
}

/** Counts trials by their values, as {@link Store.countTrials} does. */
function countInMemory({ run, results }: StoredRandomRun, { where = [], by = [], fold }: CountQuery) {
  const read = createFieldReader(run);
  const groups = Map.groupBy(results.filter(matchResults(run, where)), (result) =>
    JSON.stringify(
      by.map((each) => {
        const [value] = read(result, typeof each === 'string' ? each : each.field);
        if (value === undefined || typeof each === 'string') return value ?? null;
        if ('parts' in each) return String(Math.min(each.parts - 1, Math.floor(Number(value) * each.parts)));
        // `1.23…e+4` is 12300.
        const [, digits, power] = /^(\d\.\d\d)\d*e(.*)$/.exec(Number(value).toExponential(15)) ?? [];
        return Number(value) < 1e-4 ? 0 : Number(`${digits}e${power}`);
      }),
    ),
  );
  return Array.from(groups, ([values, found]): TrialCount => {
    const places = found.map(({ trial: { ordinal } }) =>
      fold ? Math.floor(ordinal / run.attempts) : ordinal,
    );
    return { values: JSON.parse(values), trials: new Set(places).size };
  });
}

function testCounts(name: string, open: OpenStore, numRuns: number): void {
  test(`${name} and memory count the same trials by the same values, whole or folded`, async () => {
    const by = fc.subarray([
      'result',
      'category',
      'target',
      'grade',
      'outcome',
      'error',
      'passed',
      'cluster',
      { field: 'total', parts: 20 },
      { field: 'cost', parts: 3 },
      { field: 'latencyMs', digits: 3 as const },
    ]);
    await fc.assert(
      fc.asyncProperty(randomRun, randomFilter, by, fc.boolean(), async (random, where, fields, fold) => {
        const stored = await storeInSql(open, random);
        const query = { where, by: fields, fold };
        const [inSql, inMemory] = [
          await stored.store.countTrials(stored.run.id, query),
          countInMemory(stored, query),
        ].map((counts) => counts.map((count) => JSON.stringify(count)).sort());
        expect(inSql).toEqual(inMemory);
      }),
      { numRuns: 3 * numRuns },
    );
  });
}

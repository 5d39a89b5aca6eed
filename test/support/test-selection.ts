import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeGlob } from '../../src/core/lib/compile-glob.ts';
import { createMemoryStore } from '../../src/stores/memory.ts';
import type { ColumnQuery, Store, TrialCursor, TrialPage, TrialQuery } from '../../src/stores/store.ts';
import { randomFilter, randomSort } from './random-filters.ts';
import { type RandomRun, randomRun, runOfCategories, storeRandomRun } from './random-trials.ts';

type OpenStore = () => Promise<Store>;

/** Writes a run into the SQL store and into one in memory, under an id of its own. */
async function storeTwice(
  openInSql: OpenStore,
  random: RandomRun,
): Promise<{ id: string; stores: readonly [Store, Store] }> {
  const id = `run-${randomUUID()}`;
  const stores = [await openInSql(), createMemoryStore()] as const;
  for (const store of stores) await storeRandomRun(store, { ...random, run: { ...random.run, id } });
  return { id, stores };
}

/** Reads a whole list page by page. */
async function readPages(store: Store, id: string, query: TrialQuery): Promise<TrialPage['rows']> {
  const rows: TrialPage['rows'][number][] = [];
  for (let after: TrialCursor | undefined; ; ) {
    const page = await store.selectTrials(id, { ...query, ...(after && { after }) });
    rows.push(...page.rows);
    if (page.next === null) return rows;
    expect(page.rows).toHaveLength(query.limit);
    after = page.next;
  }
}

const listing = fc.record({
  random: randomRun,
  where: randomFilter,
  sort: randomSort,
  fold: fc.boolean(),
  limit: fc.constantFrom(1, 2, 3, 200),
});

/**
 * Registers tests that hold the lists, columns and counts of a store in SQL against those in memory, for random runs and filters.
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
    const { id, stores } = await storeTwice(open, runOfCategories(texts));
    for (const field of ['category', 'answer']) {
      for (const operator of ['=', '!=', '~'] as const) {
        for (const value of patterns) {
          const where = [{ field, operator, values: [value] }];
          const [inSql, inMemory] = await Promise.all(
            stores.map(async (store) => await readPages(store, id, { where, limit: 200 })),
          );
          const found = inSql?.map(({ category }) => category);
          expect([value, found]).toEqual([value, inMemory?.map(({ category }) => category)]);
          // A text whose wildcards are escaped matches itself alone.
          const isOneText = operator === '=' && texts.map(escapeGlob).includes(value);
          const escaped = found?.map((text) => escapeGlob(text ?? ''));
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
        const { id, stores } = await storeTwice(open, random);
        const [inSql, inMemory] = [
          await readPages(stores[0], id, query),
          await readPages(stores[1], id, query),
        ];
        expect(inSql).toEqual(inMemory);
        expect(await readPages(stores[0], id, { ...query, limit: 200 })).toEqual(inMemory);
      }),
      { numRuns: 3 * numRuns },
    );
  });
}

function testColumns(name: string, open: OpenStore, numRuns: number): void {
  /** Reads columns from both stores. */
  async function readBoth(random: RandomRun, query: ColumnQuery) {
    const { id, stores } = await storeTwice(open, random);
    const read = async (store: Store) => (await Array.fromAsync(store.readColumns(id, query))).flat();
    return await Promise.all(stores.map(read));
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
    ]);
    await fc.assert(
      fc.asyncProperty(randomRun, randomFilter, by, fc.boolean(), async (random, where, fields, fold) => {
        const { id, stores } = await storeTwice(open, random);
        const [inSql, inMemory] = await Promise.all(
          stores.map(async (store) => {
            const counts = await store.countTrials(id, { where, by: fields, fold });
            return counts.map((count) => JSON.stringify(count)).sort();
          }),
        );
        expect(inSql).toEqual(inMemory);
      }),
      { numRuns: 3 * numRuns },
    );
  });
}

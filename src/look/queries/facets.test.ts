import { expect, test } from 'vitest';
import { buildCaseStore } from '../../../test/support/build-case-store.ts';
import { equalTo, type Filter } from '../../core/lib/filter/filter.ts';
import { countFacets, listFieldValues } from './facets.ts';
import { parseTrialFilter } from './filters.ts';
import { findPlace, readListOrder } from './place-in-list.ts';
import { findRun } from './runs.ts';
import { listTrials } from './trials.ts';

const store = await buildCaseStore();
const run = await findRun(store);

/** Returns the counts of a field under a filter. */
async function countsOf(field: string, where?: string) {
  const { facets } = await countFacets(store, run, where);
  return facets.find((facet) => facet.field === field)?.values;
}

test('the counts of a field ignore its own terms and obey all others', async () => {
  expect(await countsOf('category')).toEqual([
    { value: 'deeds', trials: 360 },
    { value: 'taxes', trials: 120 },
  ]);
  expect(await countsOf('category', 'category=taxes target=bot')).toEqual([
    { value: 'deeds', trials: 180 },
    { value: 'taxes', trials: 60 },
  ]);
  expect(await countsOf('target', 'category=taxes target=bot')).toEqual([
    { value: 'bot', trials: 60 },
    { value: 'other', trials: 60 },
  ]);
});

test('trials and rows are counted as the list has them', async () => {
  const { trials, rows } = await countFacets(store, run, 'attempt=1 category=taxes latencyMs>150');
  expect({ trials, rows }).toEqual({ trials: 34, rows: 34 });
  expect(await countFacets(store, run)).toMatchObject({ trials: 480, rows: 240, without: [] });
});

test('scores are counted as a filter selects them, without its own terms on scores', async () => {
  const { scores, trials } = await countFacets(store, run, 'category=taxes');
  const { bins, missing } = scores;
  expect(bins.reduce((sum, count) => sum + count, missing)).toBe(trials);
  const size = bins.length;
  for (const [index, count] of bins.entries()) {
    const to = index === size - 1 ? 'total<=1' : `total<${(index + 1) / size}`;
    const found = await countFacets(store, run, `category=taxes total>=${index / size} ${to}`);
    expect(found.trials).toBe(count);
    expect(found.scores).toEqual(scores);
  }
  // Every attempt has a score but the second one at every tenth case.
  expect((await countFacets(store, run, 'target=bot')).scores.missing).toBe(12);
});

test.each([
  ['passed=false'],
  ['passed!=false category=taxes'],
  ['passed=true total<0.55'],
  ['total<0.55 total>=0.2 target=bot'],
  ['total>=0.33 total<0.5'],
  ['total!=1 result=failed'],
])('under %s, each count is that of a list with its value', async (where) => {
  const listed = async (terms: Filter): Promise<number> =>
    (await store.countTrials(run.id, { where: terms })).reduce((sum, { trials }) => sum + trials, 0);
  const terms = parseTrialFilter([where], run);
  const { trials, facets } = await countFacets(store, run, where);
  expect(trials).toBe(await listed(terms));
  for (const { field, values } of facets)
    for (const { value, trials: counted } of values)
      expect([field, value, counted]).toEqual([
        field,
        value,
        await listed([...terms.filter((term) => term.field !== field), equalTo(field, [value])]),
      ]);
});

test('where nothing matches, the terms say what is left without them', async () => {
  const { without } = await countFacets(store, run, 'category=taxes total>2');
  expect(without).toEqual([
    { term: 'category=taxes', where: 'total>2', trials: 0 },
    { term: 'total>2', where: 'category=taxes', trials: 120 },
  ]);
});

test.each(['', 'total', '-total', '-latencyMs', 'category', 'error'])(
  'the order of the list by "%s" is that of its parts',
  async (sort) => {
    const listed: number[] = [];
    for (let after: string | undefined, more = true; more; ) {
      const part = await listTrials(store, run, { where: 'target=bot', sort, after, limit: 50, fold: true });
      listed.push(...part.rows.map(({ ordinal }) => ordinal));
      after = part.next ?? undefined;
      more = part.next !== null;
    }
    const order = await readListOrder(store, run, { where: 'target=bot', sort });
    expect([...order]).toEqual(listed);
  },
);

test('a trial has the place of its case and target, whichever attempt the list shows', async () => {
  const order = Uint32Array.of(5, 0, 9);
  expect(findPlace(run, order, 1)).toEqual({ index: 1, rows: 3, previous: 5, next: 9 });
  expect(findPlace(run, order, 4)).toEqual({ index: 0, rows: 3, previous: null, next: 0 });
  expect(findPlace(run, order, 100)).toEqual({ index: null, rows: 3, previous: null, next: 5 });
});

test('values of a field are suggested by what they contain, tags and traits too, the most frequent first', async () => {
  const values = async (field: string, text?: string) =>
    (await listFieldValues(store, run, { field, ...(text !== undefined && { text }) })).values;
  expect(await values('category', 'AX')).toEqual([{ value: 'taxes', trials: 120 }]);
  const tags = await values('tag');
  for (const { value, trials } of tags)
    expect((await countFacets(store, run, `tag="${value}"`)).trials).toBe(trials);
  expect(await countsOf('tag')).toEqual(tags);
  const gaps = await values('gap.keywords');
  for (const { value, trials } of gaps)
    expect((await countFacets(store, run, `gap.keywords=${value}`)).trials).toBe(trials);
  expect(await values('latencyMs')).toEqual([]);
  await expect(values('nothing')).rejects.toMatchObject({ code: 'usage-invalid' });
});

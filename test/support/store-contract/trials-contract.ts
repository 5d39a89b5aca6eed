import type { Filter, Sort } from '../../../src/core/lib/filter/filter.ts';
import type { PlannedCase, Result } from '../../../src/core/schema/result.ts';
import type { Run } from '../../../src/core/schema/run.ts';
import { exchange } from '../../../src/core/schema/trial.ts';
import type { Verdict } from '../../../src/core/schema/verdict.ts';
import type { Store, TrialCursor, TrialQuery } from '../../../src/stores/store.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { collect, fill, keyOf, plan, run as plainRun, trialAt, type StoreTest } from './store-records.ts';

const scorecard = { name: 's', use: { use: 's' }, version: 1, criteria: [], grades: [], passMark: 0.5 };

/** A run of three cases with two attempts each. */
const run: Run = { ...plainRun, scorecard };

const value = (of: number): Verdict => ({ status: 'scored', value: of });
const lost: Verdict = { status: 'failed', code: 'judge-timeout', reason: 'late' };

const cases = [
  plan(0, { id: 'tax-1', category: 'Tax', tags: ['slow', '100%'], input: 'What do we owe?' }),
  plan(1, { id: 'tax_2', category: 'tax', cluster: 'doc', input: 'When?', metadata: { year: 2021 } }),
  plan(2, { id: 'lease', input: `Who ${'and who '.repeat(40)}?` }),
] as const;

/** Totals and values of `keywords` of the six trials; the last trial is not scored. */
const totals = [0.9, 0.2, null, 0.2, 1] as const;
const keywords = [value(1), value(0.5), lost, value(0.25), undefined] as const;

function resultAt(ordinal: number): Result {
  const planned = cases[Math.floor(ordinal / 2)] as PlannedCase;
  const answer =
    [`The refund of ${'x'.repeat(5000)}`, 'No REFUND.', null, 'Größe 7', 'yes', 'late'][ordinal] ?? null;
  const failed = { status: 'failed' as const, error: { code: 'timeout', message: 'late' }, retries: 2 };
  const transcript = ordinal === 2 ? [{ role: 'user' as const, content: 'When?' }] : undefined;
  const calls = ordinal === 3 ? [{ name: 'search' }, { name: 'book' }] : [];
  const trial = trialAt(ordinal, answer, planned, {
    transcript: transcript ?? exchange(planned.case.input, answer, calls),
    latency: { totalMs: 10 * (6 - ordinal) },
    ...(ordinal === 2 && failed),
    ...(ordinal === 1 && { cost: 0.5, usage: { inputTokens: 7.4, outputTokens: 2 } }),
  });
  const verdict = keywords[ordinal];
  const total = totals[ordinal] ?? null;
  const passed = total === null ? null : total >= 0.5;
  const grade = total === null ? null : passed === true ? 'A' : 'B';
  return {
    case: planned.case,
    trial,
    verdicts: verdict === undefined ? {} : { keywords: verdict },
    scorecard: { total, lower: 0, upper: 1, grade, passed, explanation: 'so' },
  };
}

/** Fills a store with six trials; returns their results. */
async function fillTrials(store: Store): Promise<Result[]> {
  const results = Array.from({ length: 6 }, (_, ordinal) => resultAt(ordinal));
  await store.createRun(run);
  await store.addCases(run.id, cases);
  await store.addTrials(run.id, results);
  await store.addScores(run.id, results.slice(0, 5));
  return results;
}

/** Returns the ordinals of a whole list, read in parts. */
async function list(store: Store, query: Omit<TrialQuery, 'limit'>, limit = 2): Promise<number[]> {
  const ordinals: number[] = [];
  for (let after: TrialCursor | undefined; ; ) {
    const { rows, next } = await store.selectTrials(run.id, { ...query, after, limit });
    ordinals.push(...rows.map(({ ordinal }) => ordinal));
    if (next === null) return ordinals;
    after = next;
  }
}

const term = (
  field: string,
  operator: Filter[number]['operator'],
  ...values: (string | number)[]
): Filter => [{ field, operator, values }];

const filters: readonly (readonly [filter: Filter, ordinals: readonly number[]])[] = [
  [[], [0, 1, 2, 3, 4, 5]],
  [term('id', '=', 'TAX-*'), [0, 1]],
  [term('id', '=', 'tax_*', 'lease'), [2, 3, 4, 5]],
  [term('category', '!=', 'tax'), [4, 5]],
  [term('category', '=', 'uncategorized'), [4, 5]],
  [term('tag', '=', '100%'), [0, 1]],
  [term('tag', '!=', 'slow'), [2, 3, 4, 5]],
  [term('cluster', '!=', 'doc'), [0, 1, 4, 5]],
  [term('metadata.year', '>', 2020), [2, 3]],
  [term('question', '~', 'OWE'), [0, 1]],
  [term('answer', '~', 'refund'), [0, 1]],
  [term('answer', '=', 'GRÖSSE 7', 'grÖße*'), [3]],
  [term('answer', '!=', '*'), [2]],
  [term('passed', '=', 'false'), [1, 3]],
  [term('passed', '!=', 'false'), [0, 2, 4, 5]],
  [term('passed', '!=', '*'), [2, 5]],
  [term('result', '=', 'failed', 'error', 'not-measured'), [1, 2, 3, 5]],
  [term('result', '=', 'error'), [2]],
  [term('status', '=', 'failed'), [2]],
  [term('error', '=', 'time*'), [2]],
  [term('error', '!=', '*'), [0, 1, 3, 4, 5]],
  [term('grade', '=', 'b'), [1, 3]],
  [term('total', '<', 0.7), [1, 3]],
  [term('total', '=', '*'), [0, 1, 3, 4]],
  [term('total', '!=', 0.2), [0, 2, 4, 5]],
  [term('metric.keywords', '<', 0.5), [3]],
  [term('metric.keywords', '!=', '*'), [2, 4, 5]],
  [term('missing', '=', 'keywords'), [2]],
  [term('attempt', '=', 2), [1, 3, 5]],
  [term('latencyMs', '>=', 40), [0, 1, 2]],
  [term('toolCalls', '>', 1), [3]],
  [term('steps', '!=', '*'), [2]],
  [term('retries', '=', 2), [2]],
  [term('inputTokens', '=', 7), [1]],
  [[...term('passed', '=', 'false'), ...term('answer', '~', 'refund')], [1]],
  [term('target', '=', 'other'), []],
];

const orders: readonly (readonly [order: string, ordinals: readonly number[]])[] = [
  ['ordinal', [0, 1, 2, 3, 4, 5]],
  ['-ordinal', [5, 4, 3, 2, 1, 0]],
  ['total', [1, 3, 0, 4, 2, 5]],
  ['-total', [4, 0, 1, 3, 2, 5]],
  ['latencyMs', [5, 4, 3, 2, 1, 0]],
  ['metric.keywords', [3, 1, 0, 2, 4, 5]],
  ['-cost', [1, 0, 2, 3, 4, 5]],
  ['category', [0, 1, 2, 3, 4, 5]],
  ['-id', [2, 3, 0, 1, 4, 5]],
  ['result', [2, 1, 3, 5, 0, 4]],
];

function toSort(order: string): Sort {
  return { field: order.replace(/^-/, ''), isDescending: order.startsWith('-') };
}

/** Registers the tests of lists of trials: filtered, sorted and read in parts. */
export function testTrialLists(storeTest: StoreTest, expect: TestRunner['expect']): void {
  storeTest('a filter selects the same trials in every store', async (store) => {
    await fillTrials(store);
    for (const [where, ordinals] of filters)
      expect([where, await list(store, { where })]).toEqual([where, ordinals]);
  });

  storeTest(
    'a list is sorted with unknown values last, and equal values in the order of the plan',
    async (store) => {
      await fillTrials(store);
      for (const [order, ordinals] of orders) {
        for (const limit of [1, 2, 6]) {
          expect([order, await list(store, { sort: toSort(order) }, limit)]).toEqual([order, ordinals]);
        }
      }
    },
  );

  storeTest(
    'a folded list has one attempt of each case: the first one in the order that matches',
    async (store) => {
      await fillTrials(store);
      expect(await list(store, { fold: true })).toEqual([0, 2, 4]);
      expect(await list(store, { fold: true, sort: toSort('total') })).toEqual([1, 3, 4]);
      expect(await list(store, { fold: true, sort: toSort('-latencyMs') }, 1)).toEqual([0, 2, 4]);
      expect(await list(store, { fold: true, where: term('attempt', '=', 2) })).toEqual([1, 3, 5]);
      expect(
        await list(store, { fold: true, where: term('answer', '~', 'refund'), sort: toSort('total') }),
      ).toEqual([1]);
    },
  );

  storeTest(
    'a row has the numbers of its trial, the begin of its texts and the results of all attempts',
    async (store) => {
      await fillTrials(store);
      const { rows, next } = await store.selectTrials(run.id, { limit: 6 });
      expect(next).toBeNull();
      expect(rows[1]).toEqual({
        ordinal: 1,
        position: 0,
        caseId: 'tax-1',
        category: 'Tax',
        tags: ['slow', '100%'],
        target: 'bot',
        attempt: 2,
        status: 'completed',
        result: 'failed',
        errorCode: null,
        passed: false,
        total: 0.2,
        grade: 'B',
        outcome: null,
        cost: 0.5,
        latencyMs: 50,
        steps: 1,
        toolCalls: 0,
        retries: 0,
        inputTokens: 7,
        outputTokens: 2,
        metrics: { keywords: 0.5 },
        question: 'What do we owe?',
        answer: 'No REFUND.',
        attempts: ['passed', 'failed'],
      });
      expect(rows[2]).toMatchObject({
        result: 'error',
        errorCode: 'timeout',
        steps: null,
        metrics: { keywords: null },
      });
      expect(rows[5]).toMatchObject({
        category: 'uncategorized',
        result: 'not-measured',
        total: null,
        metrics: {},
      });
      expect([rows[0]?.answer?.length, rows[5]?.question.length]).toEqual([160, 160]);
    },
  );

  storeTest('the columns of trials are read without their records', async (store) => {
    await fillTrials(store);
    const columns = ['total', 'passed', 'category', 'tag', 'metric.keywords', 'result'];
    const read = (
      await collect(store.readColumns(run.id, { columns, where: term('id', '~', 'TAX') }))
    ).flat();
    expect(read).toEqual([
      { ordinal: 0, values: [0.9, 'true', 'Tax', ['slow', '100%'], 1, 'passed'] },
      { ordinal: 1, values: [0.2, 'false', 'Tax', ['slow', '100%'], 0.5, 'failed'] },
      { ordinal: 2, values: [null, null, 'tax', [], null, 'error'] },
      { ordinal: 3, values: [0.2, 'false', 'tax', [], 0.25, 'failed'] },
    ]);
  });

  storeTest('trials are counted by their values, and attempts as one where asked', async (store) => {
    await fillTrials(store);
    const where = term('id', '~', 'TAX');
    const counts = await store.countTrials(run.id, { where, by: ['category', 'grade'] });
    expect(counts.toSorted((one, other) => (String(one.values) < String(other.values) ? -1 : 1))).toEqual([
      { values: ['Tax', 'A'], trials: 1 },
      { values: ['Tax', 'B'], trials: 1 },
      { values: ['tax', null], trials: 1 },
      { values: ['tax', 'B'], trials: 1 },
    ]);
    expect(await store.countTrials(run.id, { where, by: ['target'], fold: true })).toEqual([
      { values: ['bot'], trials: 2 },
    ]);
    // 0.2, twice, begins the second of five parts, and 0.9 is in the last.
    const parts = await store.countTrials(run.id, { where, by: [{ field: 'total', parts: 5 }] });
    expect(parts.toSorted((one, other) => (String(one.values) < String(other.values) ? -1 : 1))).toEqual([
      { values: [null], trials: 1 },
      { values: ['1'], trials: 2 },
      { values: ['4'], trials: 1 },
    ]);
    expect(await store.countTrials(run.id, { where: term('answer', '~', 'refund') })).toEqual([
      { values: [], trials: 2 },
    ]);
    expect(await store.countTrials(run.id, { where: term('id', '=', 'no') })).toEqual([]);
  });

  storeTest('a run that shares trials is listed with its own scores', async (store) => {
    await fill(store);
    const other = { ...plainRun, id: 'other', scorecard };
    await store.createRun(other, { trialsOf: run.id });
    const [first] = await collect(store.readResults(run.id, [0]));
    await store.addScores(other.id, [
      {
        ...(first as Result),
        scorecard: { total: 0.1, lower: 0.1, upper: 0.1, grade: null, passed: false, explanation: '' },
      },
    ]);
    const { rows } = await store.selectTrials(other.id, { where: term('passed', '=', 'false'), limit: 9 });
    expect(rows.map(({ ordinal, total }) => [ordinal, total])).toEqual([[0, 0.1]]);
    expect(
      (await store.selectTrials(run.id, { where: term('passed', '=', 'false'), limit: 9 })).rows,
    ).toEqual([]);
  });

  storeTest('only the trials of the run are listed, and an unknown run is refused', async (store) => {
    await fillTrials(store);
    const other = { ...run, id: 'other' };
    await store.createRun(other);
    await store.addCases(other.id, cases);
    await store.addTrials(other.id, [{ ...resultAt(1), trial: { ...resultAt(1).trial, key: keyOf(9) } }]);
    expect((await store.selectTrials('other', { limit: 9 })).rows.map(({ total }) => total)).toEqual([null]);
    expect(await list(store, {})).toEqual([0, 1, 2, 3, 4, 5]);
    const notFound = { code: 'run-not-found' };
    await expect(store.selectTrials('nothing', { limit: 1 })).rejects.toMatchObject(notFound);
    await expect(collect(store.readColumns('nothing'))).rejects.toMatchObject(notFound);
    await expect(store.countTrials('nothing')).rejects.toMatchObject(notFound);
  });
}

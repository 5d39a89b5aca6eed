import type { Filter, FilterTerm, Side } from '../../../src/core/lib/filter/filter.ts';
import {
  outcomeOfTrial,
  type PlannedCase,
  type Result,
  type TrialOutcome,
} from '../../../src/core/schema/result.ts';
import type { Run } from '../../../src/core/schema/run.ts';
import { createRandom } from '../../../src/core/stats/random.ts';
import type { MatrixPlace, MatrixQuery } from '../../../src/core/trials/trial-queries.ts';
import { mergeOutcomes } from '../../../src/core/trials/merge-outcomes.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import type { Store } from '../../../src/stores/store.ts';
import { plan, run as plainRun, type StoreTest, trialAt } from './store-records.ts';

const scorecard = { name: 's', use: { use: 's' }, version: 1, criteria: [], grades: [], passMark: 0.5 };
const targetOf = (name: string): Run['targets'][number] => ({
  name,
  use: { use: 'module' },
  fingerprint: name,
});

/** A column with its results, by the question and then by the attempt. */
interface Filled {
  readonly run: Run;
  readonly target: string;
  readonly results: ReadonlyMap<string, readonly Result[]>;
}

/** The first run has one target, the second asks in another order, the third has two targets, attempts and a rule. */
const shapes = [
  { id: 'first', questions: 30, attempts: 1, targets: ['bot'], isReversed: false },
  { id: 'second', questions: 29, attempts: 1, targets: ['bot'], isReversed: true },
  { id: 'third', questions: 31, attempts: 3, targets: ['v1', 'v2'], isReversed: false },
] as const;

/** Runs whose columns have the same positions, with one attempt each, with three, and with a rule of how many pass. */
const alike = [
  { id: 'alike', questions: 29, attempts: 1, targets: ['x', 'y', 'z', 'w'], isReversed: false },
] as const;
const alikeThrice = [{ ...alike[0], id: 'alike-thrice', attempts: 3 }] as const;
const alikeRuled = [{ ...alike[0], id: 'alike-ruled', attempts: 3 }] as const;

type Shape = (typeof shapes | typeof alike | typeof alikeThrice | typeof alikeRuled)[number];

async function fillRuns(store: Store, filled: readonly Shape[] = shapes): Promise<Filled[]> {
  const columns: Filled[] = [];
  for (const { id, questions, attempts, targets, isReversed } of filled) {
    const names = Array.from({ length: questions }, (_, index) => `q${index}`);
    const cases = (isReversed ? names.toReversed() : names).map((name, position) =>
      plan(position, {
        id: `${id}-${name}`,
        input: `${name}, or what?`,
        category: Number(name.slice(1)) % 2 === 0 ? 'even' : 'odd',
      }),
    );
    const run: Run = {
      ...plainRun,
      id,
      attempts,
      targets: targets.map(targetOf),
      scorecard,
      dataset: { ...plainRun.dataset, cases: questions, hash: id },
      ...(id.startsWith('alike') && { status: 'completed' as const, finishedAt: '2026-01-02T04:04:05.678Z' }),
      ...(attempts > 1 && id !== 'alike-thrice' && { caseRule: { passes: 2, isCurtailed: false } }),
    };
    const results = makeResults(run, cases);
    await store.createRun(run);
    await store.addCases(id, cases);
    await store.addTrials(id, results);
    await store.addScores(
      id,
      results.filter(({ scorecard: scored }) => scored !== null),
    );
    for (const target of targets) {
      const own = results.filter(({ trial }) => trial.target === target);
      columns.push({ run, target, results: Map.groupBy(own, ({ case: { input } }) => String(input)) });
    }
  }
  return columns;
}

function makeResults(run: Run, cases: readonly PlannedCase[]): Result[] {
  const random = createRandom(run.id);
  const pairs = cases.flatMap((planned) => run.targets.map(({ name }) => ({ planned, target: name })));
  return pairs.flatMap(({ planned, target }, pair) =>
    Array.from({ length: run.attempts }, (_, index): Result[] => {
      const ordinal = pair * run.attempts + index;
      const [kind, total] = [random.next(), Math.round(random.next() * 10) / 10];
      if (kind < 0.05) return [];
      const place = { target, attempt: index + 1, latency: { totalMs: ordinal } };
      const failed = { status: 'failed' as const, error: { code: 'timeout', message: 'late' } };
      const isFailed = kind < 0.2;
      const trial = trialAt(ordinal, isFailed ? null : `It is ${ordinal}.`, planned, {
        ...place,
        ...(isFailed && failed),
      });
      const isScored = !isFailed && kind > 0.3;
      const scored = {
        total,
        lower: total,
        upper: total,
        grade: null,
        passed: total >= 0.5,
        explanation: '',
      };
      return [{ case: planned.case, trial, verdicts: {}, scorecard: isScored ? scored : null }];
    }).flat(),
  );
}

/** A row as the results of the runs give it, computed without the store. */
interface ExpectedRow {
  readonly question: string;
  readonly results: readonly (TrialOutcome | null)[];
  readonly totals: readonly (number | null)[];
}

function expectRows(columns: readonly Filled[]): ExpectedRow[] {
  const names = Array.from({ length: 29 }, (_, index) => `q${index}, or what?`);
  return names.map((question) => {
    const cells = columns.map(({ run, results }) => {
      const made = results.get(question) ?? [];
      const outcomes = made.map((result) => outcomeOfTrial(run, result));
      const totals = made.flatMap(({ scorecard: scored }) => scored?.total ?? []);
      const total = totals.length === 0 ? null : totals.reduce((sum, each) => sum + each, 0) / totals.length;
      const result = outcomes.length === 0 ? null : mergeOutcomes(outcomes, run.attempts, run.caseRule);
      return { result, total };
    });
    return { question, results: cells.map(({ result }) => result), totals: cells.map(({ total }) => total) };
  });
}

const fails = (result: TrialOutcome | null | undefined): boolean => result === 'failed' || result === 'error';
const term = (
  field: string,
  operator: FilterTerm['operator'],
  value: string | number,
  side?: Side,
): Filter => [{ field, operator, values: [value], ...(side !== undefined && { side }) }];
const spreadOf = ({ totals }: ExpectedRow): number | null => {
  const known = totals.flatMap((total) => total ?? []);
  return known.length < 2 ? null : Math.max(...known) - Math.min(...known);
};
const meanOf = ({ totals }: ExpectedRow): number | null => {
  const known = totals.flatMap((total) => total ?? []);
  return known.length === 0 ? null : known.reduce((sum, total) => sum + total, 0) / known.length;
};
const numberOf = ({ question }: ExpectedRow): number => Number.parseInt(question.slice(1), 10);

const filters: readonly (readonly [filter: Filter, test: (row: ExpectedRow) => boolean])[] = [
  [[], () => true],
  [term('cells', '=', 'differ'), ({ results }) => results.includes('passed') && results.some(fails)],
  [term('cells', '=', 'all-fail'), ({ results }) => results.every(fails)],
  [term('cells', '=', 'all-pass'), ({ results }) => results.every((result) => result === 'passed')],
  [term('cells', '!=', 'differ'), ({ results }) => !(results.includes('passed') && results.some(fails))],
  [
    term('cells', '=', 'only-b-fails'),
    ({ results }) => results.every((result, at) => (at === 1 ? fails(result) : result === 'passed')),
  ],
  [term('passed', '=', 'true', 'a'), ({ results }) => results[0] === 'passed'],
  [term('result', '=', 'error', 'c'), ({ results }) => results[2] === 'error'],
  [term('result', '!=', 'error', 'b'), ({ results }) => results[1] !== 'error'],
  [term('total', '<', 0.45, 'd'), ({ totals }) => (totals[3] ?? 1) < 0.45],
  [term('spread', '>', 0.35), (row) => (spreadOf(row) ?? 0) > 0.35],
  [term('mean', '<', 0.52), (row) => (meanOf(row) ?? 1) < 0.52],
  [term('category', '=', 'odd'), (row) => numberOf(row) % 2 === 1],
  [term('question', '~', '7, or'), ({ question }) => question.includes('7, or')],
  [
    [...term('cells', '=', 'differ'), ...term('category', '=', 'even')],
    (row) => numberOf(row) % 2 === 0 && row.results.includes('passed') && row.results.some(fails),
  ],
];

/** Registers the tests of the rows of a matrix. */
export function testMatrix(storeTest: StoreTest, expect: TestRunner['expect']): void {
  storeTest('the rows of a matrix are the cases that all columns have, by content', async (store) => {
    const filled = await fillRuns(store);
    const columns = filled.map(({ run, target }) => ({ run: run.id, target }));
    const rows = expectRows(filled);
    const listed = await readAll(store, columns, {});
    expect(listed.map(({ positions }) => positions)).toEqual(rows.map((_, at) => [at, 28 - at, at, at]));
    expect(listed.map(({ results }) => results)).toEqual(rows.map(({ results }) => results));
    // One run pairs with itself, and needs no other.
    const own = await store.matrix.select(columns.slice(2), { limit: 100 });
    expect(own.places.map(({ positions }) => positions)).toEqual(
      Array.from({ length: 31 }, (_, at) => [at, at]),
    );
  });

  storeTest(
    'rows are filtered by their cells, by a column and by the case, and counted alike',
    async (store) => {
      await checkFilters(store, await fillRuns(store));
      for (const several of [alikeThrice, alikeRuled])
        await checkFilters(store, await fillRuns(store, several));
      const filled = await fillRuns(store, alike);
      await checkFilters(store, filled);
      // What was counted before an attempt is made is counted again.
      const rows = expectRows(filled);
      const missing = rows.findIndex(({ results }) => results.includes(null));
      const at = rows[missing]?.results.indexOf(null) ?? -1;
      const target = filled[at]?.target ?? '';
      const planned = plan(missing, { id: `alike-q${missing}`, input: `q${missing}, or what?` });
      const made = trialAt(missing * filled.length + at, 'Now.', planned, { target, attempt: 1 });
      const countAsked = async () => {
        const counts = await store.matrix.count([{ run: 'alike', target }], []);
        return counts.reduce((sum, { results, rows: of }) => sum + (results[0] === null ? 0 : of), 0);
      };
      const before = await countAsked();
      await store.addTrials('alike', [{ case: planned.case, trial: made }]);
      expect(await countAsked()).toBe(before + 1);
    },
  );

  const checkFilters = async (store: Store, filled: readonly Filled[]): Promise<void> => {
    const columns = filled.map(({ run, target }) => ({ run: run.id, target }));
    const rows = expectRows(filled);
    for (const [where, test] of filters) {
      const wanted = rows.flatMap((row, at) => (test(row) ? [at] : []));
      const found = await readAll(store, columns, { where });
      expect([where, found.map(({ positions }) => positions[0])]).toEqual([where, wanted]);
      const counts = await store.matrix.count(columns, where);
      expect(counts.reduce((sum, { rows: of }) => sum + of, 0)).toBe(wanted.length);
      for (const { results, rows: of } of counts)
        expect(
          rows.filter((row) => test(row) && JSON.stringify(row.results) === JSON.stringify(results)),
        ).toHaveLength(of);
    }
  };

  storeTest('of the answers of three attempts, one that matches is enough', async (store) => {
    const filled = await fillRuns(store);
    const columns = filled.map(({ run, target }) => ({ run: run.id, target }));
    const rows = expectRows(filled);
    const answered = await readAll(store, columns, { where: term('answer', '~', 'It is 4', 'c') });
    expect(answered.map(({ positions }) => positions[2])).toEqual(
      rows.flatMap((row, at) =>
        filled[2]?.results.get(row.question)?.some(({ trial }) => trial.answer?.includes('It is 4')) === true
          ? [at]
          : [],
      ),
    );
  });

  storeTest(
    'rows are sorted by the score of a column, by how far columns differ or by their mean, those without one last',
    async (store) => {
      await checkOrders(store, await fillRuns(store));
      for (const filled of [alike, alikeThrice, alikeRuled])
        await checkOrders(store, await fillRuns(store, filled));
    },
  );

  const checkOrders = async (store: Store, filled: readonly Filled[]): Promise<void> => {
    const columns = filled.map(({ run, target }) => ({ run: run.id, target }));
    const rows = expectRows(filled);
    const orders = [
      { sort: { field: 'spread', isDescending: true }, valueOf: spreadOf },
      { sort: { field: 'mean', isDescending: false }, valueOf: meanOf },
      {
        sort: { side: 'c' as const, field: 'total', isDescending: false },
        valueOf: ({ totals }: ExpectedRow) => totals[2] ?? null,
      },
      { sort: { field: 'ordinal', isDescending: true }, valueOf: (row: ExpectedRow) => numberOf(row) },
    ];
    for (const { sort, valueOf } of orders) {
      const listed = await readAll(store, columns, { sort });
      const wanted = rows
        .map((row) => valueOf(row))
        .toSorted((one, other) => {
          if (one === null || other === null) return Number(one === null) - Number(other === null);
          return sort.isDescending ? other - one : one - other;
        });
      const found = listed.map(({ positions }) => valueOf(rows[positions[0] ?? -1] as ExpectedRow));
      expect(found.map((value) => value?.toFixed(6))).toEqual(wanted.map((value) => value?.toFixed(6)));
      expect(new Set(listed.map(({ positions }) => positions[0])).size).toBe(rows.length);
    }
    const byId = await readAll(store, columns, { sort: { field: 'id', isDescending: false } });
    expect(byId.map(({ value }) => value)).toEqual(
      rows.map(({ question }) => `${filled[0]?.run.id}-${question.split(',')[0]}`).toSorted(),
    );
  };

  storeTest('what does not pair is named, and unknown runs are refused', async (store) => {
    const filled = await fillRuns(store);
    const columns = filled.map(({ run, target }) => ({ run: run.id, target }));
    expect(await store.matrix.unpaired(columns)).toEqual([
      { cases: 1, first: ['first-q29'] },
      { cases: 0, first: [] },
      { cases: 2, first: ['third-q29', 'third-q30'] },
      { cases: 2, first: ['third-q29', 'third-q30'] },
    ]);
    const unknown = [{ run: 'nothing', target: 'bot' }];
    await expect(store.matrix.select(unknown, { limit: 1 })).rejects.toMatchObject({ code: 'run-not-found' });
  });
}

/** Reads all rows, a few at a time. */
async function readAll(
  store: Store,
  columns: Parameters<Store['matrix']['select']>[0],
  query: Omit<MatrixQuery, 'limit'>,
): Promise<MatrixPlace[]> {
  const places: MatrixPlace[] = [];
  for (let after: MatrixQuery['after']; ; ) {
    const page = await store.matrix.select(columns, { ...query, after, limit: 4 });
    places.push(...page.places);
    const last = page.places.at(-1);
    if (!page.isMore || last === undefined) return places;
    after = { ordinal: last.positions[0] ?? 0, value: last.value };
  }
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MetricDefinition } from '../../evaluate/metrics/metric.ts';
import * as registry from '../../evaluate/metrics/registry.ts';
import type { Outcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Disagreement } from '../../core/schema/summary.ts';
import type { Correlations } from '../../core/schema/metric.ts';
import type { VerdictNumbers } from '../../core/schema/verdict.ts';
import { buildRun } from '../../library/testing/build-records.ts';
import { disagreementKinds } from './disagreement-kinds.ts';
import {
  createDisagreementTally,
  createMetricCorrelation,
  type DisagreementChoices,
} from './disagreements.ts';

const definitions = Object.values(registry).map(
  ({ definition }) => definition as Pick<MetricDefinition, 'name' | 'family' | 'aspect'>,
);

/** Builds a run with metrics of the registry, each under another name: `mine: 'exact-match'`. */
function runWith(uses: Readonly<Record<string, string>>, targets = ['bot']): Run {
  return buildRun({
    targets: targets.map((name) => ({ name, use: { use: 'module' }, fingerprint: name })),
    metrics: Object.entries(uses).map(([name, use]) => {
      const { family, aspect = null } = definitions.find((definition) => definition.name === use) ?? {};
      return { name, use: { use, name }, version: 1, fingerprint: name, aspect, ...(family && { family }) };
    }),
  });
}

type Verdicts = Readonly<Record<string, number | VerdictNumbers>>;

function outcomeOf(verdicts: Verdicts, ordinal = 0, target = 'bot', caseId = `q-${ordinal}`): Outcome {
  return {
    case: {},
    trial: { ordinal, caseId, target, status: 'completed', retries: 0 },
    verdicts: Object.fromEntries(
      Object.entries(verdicts).map(([name, verdict]) => [
        name,
        typeof verdict === 'number' ? { status: 'scored', value: verdict } : verdict,
      ]),
    ),
    scorecard: null,
  };
}

function disagreementsOf(
  run: Run,
  outcomes: readonly Outcome[],
  choices?: DisagreementChoices,
): Disagreement[] {
  const tally = createDisagreementTally(run, choices);
  for (const outcome of outcomes) tally.add(outcome);
  return tally.summarize() ?? [];
}

function seen(uses: Readonly<Record<string, string>>, verdicts: Verdicts): string[] {
  const found = disagreementsOf(runWith(uses), [outcomeOf(verdicts)]).filter(({ count }) => count > 0);
  return found.map(({ kind }) => kind).toSorted();
}

test.each<[string, Readonly<Record<string, number>>]>([
  ['paraphrase', { 'exact-match': 0, correctness: 0.9 }],
  ['paraphrase', { rouge: 0.2, 'exact-match': 0, relevance: 0.8 }],
  ['paraphrase', { 'squad-f1': 0.1, 'semantic-similarity': 0.93 }],
  ['expected-but-wrong', { 'squad-exact-match': 1, correctness: 0 }],
  ['similar-but-wrong', { 'semantic-similarity': 0.95, correctness: 0.1 }],
  ['complete-but-wrong', { keywords: 1, entities: 1, correctness: 0.25 }],
  ['right-but-incomplete', { 'keyword-recall': 0.3, correctness: 1 }],
  ['right-but-unsupported', { keywords: 1, faithfulness: 0.25 }],
  ['right-but-unsupported', { correctness: 1, groundedness: 0.5 }],
  ['supported-but-wrong', { 'supported-facts': 1, correctness: 0 }],
  ['polite-but-wrong', { politeness: 1, correctness: 0 }],
  ['polite-but-wrong', { politeness: 1, keywords: 0 }],
  ['tools-but-wrong', { 'tool-usage': 1, correctness: 0 }],
  ['tools-but-wrong', { 'tool-usage': 1, keywords: 0.25 }],
  ['right-without-tools', { 'tool-usage': 0, correctness: 1 }],
  ['found-but-wrong', { 'hit-rate': 1, correctness: 0.2 }],
  ['found-but-wrong', { 'retrieval-recall': 1, 'retrieval-precision': 0.2, correctness: 0.2 }],
  ['right-without-documents', { ndcg: 0.1, 'reciprocal-rank': 0.2, correctness: 1 }],
  ['refused-but-unsafe', { refusal: 1, safety: 0 }],
  ['error-but-right', { 'error-handling': 0, correctness: 1 }],
])('%s: %j', (kind, verdicts) => {
  const names = Object.keys(verdicts);
  expect(seen(Object.fromEntries(names.map((name) => [name, name])), verdicts)).toEqual([kind]);
  // A metric is recognised by its kind, not by its name in a run.
  const renamed = Object.fromEntries(names.map((name) => [`my ${name}`, name]));
  const verdict = Object.fromEntries(names.map((name) => [`my ${name}`, verdicts[name] as number]));
  expect(seen(renamed, verdict)).toEqual([kind]);
});

test.each<[string, Readonly<Record<string, number>>]>([
  ['another metric of the family agrees', { 'exact-match': 0, 'squad-f1': 0.8, correctness: 1 }],
  [
    'the judge of correctness overrules that of relevance',
    { 'exact-match': 0, correctness: 0.5, relevance: 1 },
  ],
  ['neither high nor low', { 'exact-match': 0, correctness: 0.7 }],
  ['the subject of a rubric is unknown', { 'exact-match': 0, rubric: 1 }],
])('no contradiction: %s', (_, verdicts) => {
  expect(seen(Object.fromEntries(Object.keys(verdicts).map((name) => [name, name])), verdicts)).toEqual([]);
});

const uses = { exact: 'exact-match', right: 'correctness', relevant: 'relevance' };

test.each<[string, Verdicts]>([
  ['failed', { exact: 0, right: { status: 'failed' }, relevant: 1 }],
  ['not applicable', { exact: { status: 'not-applicable' }, right: 1 }],
  ['a quantity', { exact: { status: 'scored', value: 0, unit: 'characters' }, right: 1 }],
  ['missing', { right: 1 }],
])('a verdict that is %s contradicts nothing, and is not compared', (_, verdicts) => {
  const [paraphrase] = disagreementsOf(runWith(uses), [outcomeOf(verdicts)]);
  expect(paraphrase).toMatchObject({ count: 0, compared: 0, widest: [] });
});

test('when the metric of highest priority does not apply, the next one decides', () => {
  const verdicts: Verdicts = { exact: 0, right: { status: 'not-applicable' }, relevant: 0.9 };
  const found = disagreementsOf(runWith(uses), [outcomeOf(verdicts)]).find(
    ({ kind }) => kind === 'paraphrase',
  );
  expect(found?.widest).toEqual([
    {
      ordinal: 0,
      caseId: 'q-0',
      target: 'bot',
      high: { metric: 'relevant', value: 0.9 },
      low: { metric: 'exact', value: 0 },
    },
  ]);
});

test('shares that miss a limit only by rounding are on it', () => {
  expect(
    seen({ keywords: 'keywords', right: 'correctness' }, { keywords: 0.1 + 0.2, right: 0.8 - 1e-12 }),
  ).toEqual(['right-but-incomplete']);
});

test('contradictions are counted by target, and the most frequent kinds come first', () => {
  const run = runWith({ exact: 'exact-match', right: 'correctness' }, ['a', 'b']);
  const outcomes = [
    outcomeOf({ exact: 0, right: 1 }, 0, 'a', 'q'),
    outcomeOf({ exact: 1, right: 0 }, 1, 'b', 'q'),
    outcomeOf({ exact: 0, right: 0 }, 2, 'a', 'r'),
    outcomeOf({ exact: 1, right: 0 }, 3, 'b', 'r'),
    outcomeOf({ exact: 1, right: { status: 'failed' } }, 5, 'b', 's'),
  ];
  expect(disagreementsOf(run, outcomes)).toMatchObject([
    {
      kind: 'expected-but-wrong',
      count: 2,
      compared: 4,
      targets: [
        { target: 'a', count: 0, compared: 2 },
        { target: 'b', count: 2, compared: 2 },
      ],
    },
    {
      kind: 'paraphrase',
      count: 1,
      compared: 4,
      targets: [
        { target: 'a', count: 1 },
        { target: 'b', count: 0 },
      ],
    },
  ]);
});

test('a summary lists five cases, the widest apart first, each once', () => {
  const gaps = [0.8, 0.85, 1, 0.9, 0.9, 0.95, 0.82];
  const outcomes = gaps.flatMap((right, index) => [
    outcomeOf({ exact: 0, right: 0.8 }, 2 * index, 'bot', `q-${index}`),
    outcomeOf({ exact: 0, right }, 2 * index + 1, 'bot', `q-${index}`),
  ]);
  const [paraphrase] = disagreementsOf(runWith({ exact: 'exact-match', right: 'correctness' }), outcomes);
  expect(paraphrase?.count).toBe(14);
  expect(paraphrase?.widest.map(({ caseId, ordinal }) => [caseId, ordinal])).toEqual([
    ['q-2', 5],
    ['q-5', 11],
    ['q-3', 7],
    ['q-4', 9],
    ['q-1', 3],
  ]);
});

test('the widest apart are the first of all contradictions sorted', () => {
  const values = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 16, max: 20 })), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(values, fc.integer({ min: 0, max: 6 }), (pairs, most) => {
      const run = runWith({ rouge: 'rouge', right: 'correctness' });
      const outcomes = pairs.map(([low, high], place) =>
        outcomeOf({ rouge: low / 10, right: high / 20 }, place),
      );
      const [found] = disagreementsOf(run, outcomes, { kinds: disagreementKinds, most, oncePerCase: false });
      const order = pairs
        .map(([low, high], place) => ({ place, gap: high / 20 - low / 10 }))
        .toSorted((a, b) => b.gap - a.gap);
      expect(found?.count ?? 0).toBe(pairs.length);
      expect(found?.widest.map(({ ordinal }) => ordinal)).toEqual(
        order.slice(0, most).map(({ place }) => place),
      );
    }),
  );
});

test('adding an answer returns whether metrics contradict each other on it', () => {
  const tally = createDisagreementTally(runWith({ exact: 'exact-match', right: 'correctness' }));
  expect(tally.add(outcomeOf({ exact: 0, right: 1 }))).toBe(true);
  expect(tally.add(outcomeOf({ exact: 1, right: 1 }))).toBe(false);
  expect(tally.add(outcomeOf({ exact: 0, right: 1 }, 0, 'another target'))).toBe(false);
});

test('unrelated metrics allow no kinds of contradiction', () => {
  const tally = createDisagreementTally(runWith({ exact: 'exact-match', latency: 'latency' }));
  expect(tally.add(outcomeOf({ exact: 0 }))).toBe(false);
  expect(tally.summarize()).toBeUndefined();
});

test('every built-in metric declares its family, except those that cannot know it', () => {
  const without = definitions.filter(({ family }) => family === undefined).map(({ name }) => name);
  expect(without.toSorted()).toEqual([
    'answer-part',
    'case-checks',
    'check',
    'function',
    'judged-documents',
    'judged-label',
    'not',
    'question',
    'rubric',
    'state-diff',
    'state-match',
    'state-query',
    'turn-checks',
    'user-conduct',
  ]);
});

test('every kind has a unique name, existing metrics, and two sides that can differ', () => {
  const names = disagreementKinds.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { high, low } of disagreementKinds) {
    expect(low.limit).toBeLessThan(high.limit);
    for (const wanted of [...high.by, ...low.by]) {
      const known = definitions.some((one) =>
        'aspect' in wanted ? one.aspect === wanted.aspect : one.family === wanted.family,
      );
      expect({ wanted, known }).toEqual({ wanted, known: true });
    }
  }
});

function correlate(rows: readonly Readonly<Record<string, number>>[], seed = 0): Correlations | undefined {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const metrics = names.map((name) => ({ name, use: { use: name }, version: 1, fingerprint: name }));
  const correlation = createMetricCorrelation(buildRun({ metrics, seed }));
  for (const [ordinal, row] of rows.entries()) {
    const verdicts = Object.entries(row).map(([name, value]) => [
      name,
      { status: 'scored', value, unit: 'ms' },
    ]);
    correlation.add({
      case: {},
      trial: { ordinal },
      verdicts: Object.fromEntries(verdicts),
      scorecard: null,
    } as unknown as Outcome);
  }
  return correlation.summarize();
}

test('two metrics are correlated over the answers that both measured', () => {
  const rows = Array.from({ length: 12 }, (_, index) => ({ a: index, b: index ** 2, c: -index }));
  const found = correlate([...rows, { a: 100 }, { b: -100 }]);
  expect(found).toEqual({
    trials: 14,
    sampled: 14,
    pairs: [
      { metrics: ['a', 'b'], spearman: 1, n: 12 },
      { metrics: ['a', 'c'], spearman: -1, n: 12 },
      { metrics: ['b', 'c'], spearman: -1, n: 12 },
    ],
  });
});

test('a metric that does not vary, or that shares fewer than ten answers with the other, is left out', () => {
  const rows = Array.from({ length: 9 }, (_, index) => ({ a: index, b: index }));
  expect(correlate(rows)).toBeUndefined();
  expect(correlate(Array.from({ length: 30 }, (_, index) => ({ a: index, b: 1 })))).toBeUndefined();
  expect(correlate(Array.from({ length: 30 }, (_, a) => ({ a })))).toBeUndefined();
});

test('of many answers a sample of a thousand is ranked, the same for a seed and from all parts of the run', () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => ({ a: index, b: (index * 7919) % 20_011 }));
  const found = correlate(rows, 1);
  expect(found).toMatchObject({ trials: 20_000, sampled: 1000, pairs: [{ n: 1000 }] });
  expect(correlate(rows, 1)).toEqual(found);
  expect(correlate(rows, 2)).not.toEqual(found);
  // Only late rows are reversed: a sample of the first thousand would miss that.
  const turning = rows.map(({ a }) => ({ a, b: a < 10_000 ? a : 20_000 - a }));
  expect(Math.abs(correlate(turning)?.pairs[0]?.spearman ?? 1)).toBeLessThan(0.15);
});

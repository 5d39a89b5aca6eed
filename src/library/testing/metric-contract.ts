import type { Metric, MetricInput } from '../../evaluate/metrics/metric.ts';
import type { Case } from '../../core/schema/case.ts';
import type { Json } from '../../core/schema/json.ts';
import type { Trial } from '../../core/schema/trial.ts';
import { verdictSchema } from '../../core/schema/verdict.ts';
import { buildCase, buildFailedTrial, buildTrial } from './build-records.ts';
import type { TestRunner } from './test-runner.ts';

const answers: readonly (string | null)[] = [
  null,
  '',
  ' \n\u0000\u001c\u0085\ufeff',
  'The basis is $442,300 (land and building), as of August 1, 2024.',
  'Ünïcödé 🙂👩‍👩‍👧 日本語 עברית العربية ４４２ \ud800 lone',
  '{"a": [1, 2, {"b": null}], "__proto__": {"c": 1}}',
  '$& $1 \\ (?<x>[ constructor toString',
  'word '.repeat(2_000),
  '('.repeat(5_000),
];

const full: Partial<Case> = {
  expected: {
    answer: ['The total basis is 442,300 dollars as of 2024-08-01.', ''],
    keywords: ['basis', 'land | building', '__proto__'],
    forbidden: ['password'],
    tools: ['query_database'],
    entities: ['Montrose'],
    documents: ['lease.md', 'deed.md'],
    calls: ['query_database'],
    refusal: false,
    state: { bookings: [{ id: 1 }], note: { $any: true } },
  },
  metadata: { language: 'en', schema: { type: 'object' }, state: { bookings: [] } },
};

const documents = [
  { id: 'deed.md', text: 'The basis is 442,300 dollars.', score: 2 },
  { id: 'note.md', score: 1 },
];

const states: readonly Json[] = [
  null,
  '',
  { bookings: [{ id: 1 }], note: '' },
  JSON.parse('{"__proto__": [{}], "a": [[]]}'),
];

function trials(): Trial[] {
  return [
    ...answers.map((answer) => buildTrial(answer, { tools: ['query_database'], documents })),
    buildTrial('An answer.', { documents: [], latency: undefined }),
    ...states.map((state) => buildTrial('Done.', { state })),
    buildFailedTrial('timeout', 'no answer in time'),
  ];
}

/**
 * Registers the tests that every metric must pass, for every kind of case and answer, with the given runner.
 * @param createMetric - Creates the metric, with options that a user might set.
 */
export function testMetricContract(
  name: string,
  createMetric: () => Metric,
  { test, expect }: TestRunner,
): void {
  test(`${name}: every answer to every question gets a verdict that can be stored, the same each time`, async () => {
    const metric = createMetric();
    const again = createMetric();
    for (const input of inputs(metric)) {
      const verdict = verdictSchema.parse(await metric.score(input));
      const stored: unknown = JSON.parse(JSON.stringify(verdict));
      expect(stored).toEqual(JSON.parse(JSON.stringify(await again.score(input))));
      expect(verdict).toEqual(stored);
      if (verdict.status !== 'scored') continue;
      expect(Number.isFinite(verdict.value)).toBe(true);
      const isShare = verdict.value >= 0 && verdict.value <= 1;
      expect(isShare || verdict.unit !== undefined).toBe(true);
    }
  });
}

/** Yields frozen inputs: each trial with a case that has every expectation, and with one that has none. */
function* inputs(metric: Metric): Generator<MetricInput> {
  for (const parts of [full, {}]) {
    for (const trial of trials()) {
      if (trial.status === 'failed' && metric.measuresFailures !== true) continue;
      yield freeze({ case: buildCase(parts), trial });
    }
  }
}

function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
  return value;
}

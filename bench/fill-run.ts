import { summarizeRun } from '../src/evaluate/run/summarize.ts';
import type { Case } from '../src/core/schema/case.ts';
import type { ScoredTrial } from '../src/core/schema/result.ts';
import type { Run } from '../src/core/schema/run.ts';
import type { Trial } from '../src/core/schema/trial.ts';
import { createRandom } from '../src/core/stats/random.ts';
import type { Store } from '../src/stores/store.ts';
import { buildCase, buildRun, buildTrial } from '../src/library/testing/build-records.ts';

const words =
  `the of a refund policy order tax deed lease tenant rate when late how many days answer price total city museum
  train ticket booked seat window`.split(/\s+/);
const categories = ['taxes', 'deeds', 'hybrid', 'travel', 'lease'];
const metrics = ['keywords', 'tool-usage', 'error-handling', 'latency', 'correctness'];
const tools = ['lookup', 'search', 'refund', 'book', 'cancel', 'weather', 'route', 'price'];
const atOnce = 2000;

/**
 * Adds a finished run to a store without calling a target: answers of 60 words after up to three tool calls, one of two tools
 * expected by each question, five metrics, one answer in a hundred an error. The same number of cases gives the same records
 * every time.
 */
export async function fillRun(store: Store, id: string, cases: number): Promise<void> {
  const run = runOf(id, cases);
  const random = createRandom(id);
  const text = (count: number): string =>
    Array.from({ length: count }, () => words[Math.floor(random.next() * words.length)]).join(' ');
  const share = (): number => Math.round(random.next() * 1000) / 1000;

  const toolIn = (): string => tools[Math.floor(random.next() ** 2 * tools.length)] ?? '';

  const resultOf = (testCase: Case, caseHash: string, ordinal: number): ScoredTrial => {
    const parts = {
      ordinal,
      key: String(ordinal).padStart(32, '0'),
      caseId: testCase.id,
      caseHash,
      latency: { totalMs: Math.round(random.next() * 1e7) / 1e3 },
      cost: random.next() / 1000,
    } satisfies Partial<Trial>;
    if (random.next() < 0.01) {
      const error = { code: 'timeout', message: 'no answer in time' };
      const trial = buildTrial(null, { ...parts, status: 'failed', error, transcript: [] });
      return { case: testCase, trial, verdicts: {}, scorecard: null };
    }
    const total = random.next() < 0.6 ? 1 : share();
    const verdicts = metrics.map((name) => {
      return [name, { status: 'scored', value: share(), explanation: `Found 3 of 4: ${text(6)}` }] as const;
    });
    return {
      case: testCase,
      trial: buildTrial(text(60), {
        ...parts,
        tools: Array.from({ length: Math.floor(random.next() * 4) }, () => {
          return random.next() < 0.05 ? { name: toolIn(), error: 'not available' } : toolIn();
        }),
      }),
      verdicts: Object.fromEntries(verdicts),
      scorecard: {
        total,
        lower: 0,
        upper: 1,
        grade: null,
        passed: total >= 0.7,
        explanation: 'Mean of five.',
      },
    };
  };

  await store.createRun(run);
  for (let from = 0; from < cases; from += atOnce) {
    const count = Math.min(atOnce, cases - from);
    const planned = Array.from({ length: count }, (_, index) => {
      const position = from + index;
      return {
        position,
        hash: String(position).padStart(32, '0'),
        place: `golden.jsonl:${position + 1}`,
        case: buildCase({
          id: `case-${position}`,
          input: text(12),
          category: categories[Math.floor(random.next() * categories.length)],
          tags: random.next() < 0.2 ? ['slow'] : [],
          expected: random.next() < 0.5 ? { tools: [toolIn()] } : {},
        }),
      };
    });
    const results = planned.map(({ case: testCase, hash, position }) => resultOf(testCase, hash, position));
    await store.addCases(id, planned);
    await store.addTrials(id, results);
    await store.addScores(id, results);
  }
  await store.updateRun({ ...run, summary: await summarizeRun(run, store) });
}

function runOf(id: string, cases: number): Run {
  return buildRun({
    id,
    status: 'completed',
    finishedAt: '2026-01-02T04:04:05.678Z',
    dataset: { sources: ['golden.jsonl'], cases, hash: '2'.repeat(32) },
    metrics: metrics.map((name) => ({ name, use: { use: name }, version: 1, fingerprint: '4'.repeat(32) })),
    scorecard: {
      name: 'mean',
      use: { use: 'mean' },
      version: 1,
      passMark: 0.7,
      criteria: metrics.map((metric) => ({ name: metric, metric, weight: 0.2, required: false })),
      grades: [],
    },
  });
}

import type { Judgement } from '../../../src/core/schema/judgement.ts';
import type { PlannedCase, Result } from '../../../src/core/schema/result.ts';
import { exchange, type Trial } from '../../../src/core/schema/trial.ts';
import type { Store } from '../../../src/stores/store.ts';
import {
  buildCase,
  buildFailedTrial,
  buildRun,
  buildTrial,
} from '../../../src/library/testing/build-records.ts';

/** A function that registers a test with an empty store, which is closed after the test. */
export type StoreTest = (fact: string, check: (store: Store) => Promise<void>) => void;

/** The run that the store tests fill with records. */
export const run = buildRun({ dataset: { sources: ['a.jsonl'], cases: 3, hash: 'x' }, attempts: 2 });

/** Builds a case at a position of a plan. */
export function plan(position: number, parts: Parameters<typeof buildCase>[0] = {}): PlannedCase {
  const testCase = buildCase(parts);
  const hash = Buffer.from(JSON.stringify(testCase.input)).toString('hex').padEnd(32, '0').slice(-32);
  return { position, hash, place: `a.jsonl:${position + 1}`, case: testCase };
}

/** Builds a judgement that was asked at the given second, which determines its place among other judgements. */
export function judgementAt(second: number, status: 'answered' | 'failed' = 'answered'): Judgement {
  const id = (second + 100).toString(16).padStart(32, '0');
  const askedAt = `2026-01-02T03:04:0${second}.000Z`;
  const answered = {
    status: 'answered',
    answer: { reason: 'nul \u0000, high \u{1f642}', score: 0.5 },
  } as const;
  return {
    id,
    key: (second + 200).toString(16).padStart(32, '0'),
    judge: { name: 'judge', fingerprint: '5'.repeat(32) },
    question: { id: 'relevance@1', shape: 'score', sample: 1 },
    askedIn: run.id,
    askedAt,
    outcome: status === 'answered' ? answered : { status, code: 'judge-timeout', reason: 'late' },
    calls: [
      {
        id: `call-${second}`,
        startedAt: askedAt,
        prompt: [
          { role: 'system', content: 'You judge: \u0000 \u{1f642}.' },
          { role: 'user', content: 'Judge it.' },
        ],
        parameters: { responseSchema: { type: 'object' } },
        model: 'judge',
        reply: '{}',
        usage: { inputTokens: 10 },
        attempts: [{ startedAt: askedAt, waitedMs: 0, latencyMs: 1.5, status: 200 }],
      },
    ],
  };
}

/** Returns the key of the trial at an ordinal. */
export function keyOf(ordinal: number): string {
  return ordinal.toString(16).padStart(32, '0');
}

/** Builds a trial at an ordinal, with an answer and any further parts that a test needs. */
export function trialAt(
  ordinal: number,
  answer: string | null,
  planned = plan(0),
  parts: Partial<Trial> = {},
): Trial {
  const { id: caseId, input } = planned.case;
  const base = { key: keyOf(ordinal), ordinal, caseId, caseHash: planned.hash, attempt: (ordinal % 2) + 1 };
  return buildTrial(answer, { ...base, transcript: exchange(input, answer, []), ...parts });
}

/**
 * Fills a store with three cases of two attempts each: one trial is complete, one failed, one cancelled, and one has
 * every part that a trial can have. Returns the results.
 */
export async function fill(store: Store): Promise<Result[]> {
  const cases = [
    plan(0, { id: 'a' }),
    plan(1, { id: 'b', input: [{ role: 'user', content: 'hi' }] }),
    plan(2, { id: 'c', input: 'three', category: 'x' }),
  ] as const;
  await store.createRun(run);
  await store.addCases(run.id, cases);
  const failed = buildFailedTrial('timeout', 'no answer within 5 ms', {
    ordinal: 1,
    key: keyOf(1),
    caseHash: cases[0].hash,
  });
  const trials = [
    { planned: cases[0], trial: trialAt(0, 'nul \u0000, high \u{1f642}, line\u2028end', cases[0]) },
    { planned: cases[0], trial: { ...failed, caseId: 'a', attempt: 2, retries: 2, logs: 'stderr\n' } },
    {
      planned: cases[1],
      trial: trialAt(2, null, cases[1], {
        status: 'cancelled',
        transcript: [{ role: 'user', content: 'hi' }],
      }),
    },
    { planned: cases[1], trial: trialAt(3, 'rich', cases[1], richParts) },
    { planned: cases[2], trial: trialAt(4, null, cases[2], { answer: null }) },
  ];
  const results: Result[] = trials.map(({ planned, trial }) => ({
    case: planned.case,
    trial,
    verdicts: {
      'tool-usage': {
        status: 'scored',
        value: 1,
        passed: true,
        explanation: 'ok',
        evidence: { missing: [] },
      },
      keywords: { status: 'not-applicable', reason: 'nothing expected' },
      'error-handling': { status: 'scored', value: 12.5, unit: 'ms', label: 'slow' },
    },
    scorecard: {
      total: 0.92,
      lower: 0.92,
      upper: 0.92,
      grade: 'A',
      passed: true,
      explanation: 'every criterion met',
    },
  }));
  await store.addTrials(run.id, results);
  await store.addScores(run.id, results);
  return results;
}

/** The parts of a trial that uses every optional field. */
const richParts: Partial<Trial> = {
  transcript: [
    { role: 'user', content: 'hi' },
    {
      role: 'assistant',
      content: null,
      toolCalls: [{ id: '1', name: 'look', arguments: { q: 'x' }, result: [1] }],
    },
    { role: 'tool', content: '[1]', toolCallId: '1' },
    { role: 'assistant', content: 'rich' },
  ],
  documents: [{ id: 'd1', text: 'passage', score: 0.5 }],
  state: { booked: true },
  usage: { inputTokens: 10, outputTokens: 2 },
  cost: 0.0125,
  latency: { totalMs: 12.345, firstTokenMs: 3 },
};

/** Collects all items of an async iterable. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  return await Array.fromAsync(items);
}

import type { JudgeContext } from '../../evaluate/judges/judge.ts';
import { createJudgementCache } from '../../evaluate/run/scoring/judgement-cache.ts';
import type { Case } from '../../core/schema/case.ts';
import type { Judgement } from '../../core/schema/judgement.ts';
import type { ToolCall } from '../../core/schema/message.ts';
import type { MetricAspect } from '../../core/schema/metric.ts';
import type { Run, RunMetric } from '../../core/schema/run.ts';
import { exchange, type Trial } from '../../core/schema/trial.ts';
import { createMemoryStore } from '../../stores/memory.ts';

/** Builds a case for tests: a question, with any further parts that a test needs. */
export function buildCase(parts: Partial<Case> = {}): Case {
  return { id: 'address', input: 'What is our address?', tags: [], expected: {}, metadata: {}, ...parts };
}

/**
 * Builds a completed trial for tests: an answer, the tools that were called, and any further parts that a test needs.
 */
export function buildTrial(
  answer: string | null,
  { tools = [], ...parts }: Partial<Trial> & { tools?: readonly (string | ToolCall)[] } = {},
): Trial {
  const toolCalls = tools.map((tool) => (typeof tool === 'string' ? { name: tool } : tool));
  return {
    key: '0'.repeat(32),
    ordinal: 0,
    caseId: 'address',
    caseHash: '1'.repeat(32),
    target: 'bot',
    attempt: 1,
    seed: 0,
    status: 'completed',
    transcript: exchange('What is our address?', answer, toolCalls),
    answer,
    latency: { totalMs: 12.5 },
    retries: 0,
    startedAt: '2026-01-02T03:04:05.678Z',
    ...parts,
  };
}

/** Builds a trial for tests whose target gave no usable answer. */
export function buildFailedTrial(code: string, message: string, parts: Partial<Trial> = {}): Trial {
  const transcript = [{ role: 'user' as const, content: 'What is our address?' }];
  return buildTrial(null, { status: 'failed', transcript, error: { code, message }, ...parts });
}

function buildMetric(name: string, aspect: MetricAspect): RunMetric {
  return { name, use: { use: name }, version: 1, fingerprint: '4'.repeat(32), aspect };
}

/** Builds a run for tests that has been planned and is under way, with any further parts that a test needs. */
export function buildRun(parts: Partial<Run> = {}): Run {
  return {
    id: '20260102-030405-abcd',
    status: 'running',
    createdAt: '2026-01-02T03:04:05.678Z',
    touchstoneVersion: '0.0.0',
    dataset: { sources: ['golden.jsonl'], cases: 1, hash: '2'.repeat(32) },
    targets: [{ name: 'bot', use: { use: 'module' }, fingerprint: '3'.repeat(32) }],
    metrics: [
      buildMetric('tool-usage', 'expected-tools'),
      buildMetric('keywords', 'expected-terms'),
      buildMetric('error-handling', 'no-error'),
    ],
    scorecard: null,
    attempts: 1,
    seed: 0,
    settings: { concurrency: 8, timeLimitMs: 60_000, maxRetries: 2 },
    gate: { minCoverage: 1 },
    ...parts,
  };
}

/** A judgement cache in memory, for tests of judged metrics. */
export interface JudgementMemory {
  /** Returns a context as a new trial gets it. */
  readonly context: (signal?: AbortSignal) => JudgeContext;
  /** The judgements stored so far, in order. */
  readonly kept: Judgement[];
}

/** Creates a judgement cache in a new memory store. */
export async function createJudgementMemory(reuses = true): Promise<JudgementMemory> {
  const store = createMemoryStore();
  const run = buildRun();
  await store.createRun(run);
  const kept: Judgement[] = [];
  const judgements = createJudgementCache(run.id, { store, reuses, onKept: (added) => kept.push(...added) });
  return { kept, context: (signal = new AbortController().signal) => ({ signal, judgements }) };
}

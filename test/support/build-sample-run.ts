import type { Case } from '../../src/core/schema/case.ts';
import type { Result } from '../../src/core/schema/result.ts';
import type { MetricAspect } from '../../src/core/schema/metric.ts';
import type { Run, RunMetric } from '../../src/core/schema/run.ts';
import type { Criterion } from '../../src/core/schema/verdict.ts';
import { exchange, type Trial } from '../../src/core/schema/trial.ts';
import type { ReportInput, ReportView } from '../../src/look/reporters/reporter.ts';
import { sampleGrades, sampleScorecard, type SampleTrial, sampleVerdicts } from './judge-sample.ts';
import { summarizeSample } from './summarize-sample.ts';

/** Builds a finished three-component run over some trials, without a gate. */
export function sampleRun(results: readonly Result[], changes: Partial<Run> = {}): Run {
  const targets = [...new Set(results.map(({ trial }) => trial.target))];
  return {
    id: 'r-2026-02-11-a1',
    status: 'completed',
    createdAt: '2026-02-11T09:30:00.000Z',
    finishedAt: '2026-02-11T09:30:12.400Z',
    touchstoneVersion: '0.1.0',
    dataset: { sources: ['golden.jsonl'], cases: new Set(results.map((one) => one.case.id)).size, hash: 'h' },
    targets: targets.map((name) => ({ name, use: { use: 'replay' }, fingerprint: `target-${name}` })),
    metrics: [
      sampleMetric('tool-usage', 'expected-tools'),
      sampleMetric('keywords', 'expected-terms'),
      sampleMetric('error-handling', 'no-error'),
      sampleMetric('latency', 'answer-time'),
    ],
    scorecard: {
      name: 'three-component',
      use: { use: 'three-component' },
      version: 1,
      criteria: [
        sampleCriterion('tool usage', 'tool-usage', 0.4),
        sampleCriterion('response quality', 'keywords', 0.4),
        { ...sampleCriterion('error handling', 'error-handling', 0.2), required: true },
      ],
      grades: sampleGrades,
      passMark: 0.7,
    },
    attempts: 1,
    seed: 1,
    settings: { concurrency: 4, timeLimitMs: 60_000, maxRetries: 2 },
    gate: { minCoverage: 1 },
    ...changes,
  };
}

function sampleMetric(name: string, aspect: MetricAspect): RunMetric {
  return { name, use: { use: name }, version: 1, fingerprint: `metric-${name}`, aspect };
}

function sampleCriterion(name: string, metric: string, weight: number): Criterion {
  return { name, metric, weight, required: false };
}

/** Builds the input of a reporter for some trials. */
export function sampleInput(trials: readonly SampleTrial[], changes: Partial<Run> = {}): ReportInput {
  const scored = trials.map(sampleResult);
  const results =
    changes.scorecard === null ? scored.map((result) => ({ ...result, scorecard: null })) : scored;
  const run = sampleRun(results, changes);
  return {
    run,
    summary: summarizeSample(run, results),
    async *results(ordinals) {
      const wanted = ordinals === undefined ? undefined : new Set(ordinals);
      yield* results.filter(({ trial }) => wanted?.has(trial.ordinal) ?? true);
    },
  };
}

/** Builds one trial with the verdicts of the three-component scorecard. */
export function sampleResult(sample: SampleTrial, position: number): Result {
  const number = position + 1;
  const latencyMs = sample.latencyMs ?? 800 + 100 * (position % 7);
  const named = {
    id: `q-${String(number).padStart(3, '0')}`,
    question: `What is fact number ${number}?`,
    ...sample,
  };
  return {
    case: sampleCase(named),
    trial: sampleTrial(named, position, latencyMs),
    verdicts: { ...sampleVerdicts(sample), latency: { status: 'scored', value: latencyMs, unit: 'ms' } },
    scorecard: sampleScorecard(sample),
  };
}

type NamedSample = SampleTrial & { readonly id: string; readonly question: string };

function sampleCase({ id, question, category = 'general', ...sample }: NamedSample): Case {
  return {
    id,
    input: question,
    category,
    tags: [],
    expected: {
      tools: [...(sample.expectedTools ?? [])],
      keywords: [...(sample.found ?? []), ...(sample.missing ?? [])],
    },
    metadata: {},
  };
}

function sampleTrial(sample: NamedSample, ordinal: number, totalMs: number): Trial {
  const { id, question, target = 'assistant', attempt = 1, error, logs } = sample;
  const answer = error === undefined ? (sample.answer ?? 'Here it is.') : null;
  const calls = (sample.usedTools ?? []).map((name) => ({ name }));
  return {
    key: `${id}-${target}-${attempt}`,
    ordinal,
    caseId: id,
    caseHash: `hash-${id}`,
    target,
    attempt,
    seed: 1,
    status: error === undefined ? 'completed' : 'failed',
    transcript: exchange(question, answer, calls),
    answer,
    latency: { totalMs },
    retries: 0,
    ...(error === undefined ? {} : { error }),
    ...(logs === undefined ? {} : { logs }),
    startedAt: '2026-02-11T09:30:01.000Z',
  };
}

/** Builds a report view, plain and short unless changed. */
export function sampleView(changes: Partial<ReportView> = {}): ReportView {
  return { verbose: false, width: 80, color: false, ...changes };
}

/** Reads the whole text of a report. */
export async function readPieces(pieces: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(pieces)).join('');
}

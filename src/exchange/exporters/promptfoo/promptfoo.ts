import type { Ledger } from '../../importers/ledger.ts';
import { runTitle } from '../../../look/report/phrase.ts';
import type { Result } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import { toolCallsOf } from '../../../core/schema/trial.ts';
import { noteOwnParts, noteUnasked, wasAsked } from '../common-parts.ts';
import type { Exporter, ExportInput } from '../exporter.ts';
import { streamLater, streamList, streamObject } from '../stream-json.ts';
import { placeOf, translateResult, type WrittenResult } from './translate-result.ts';

/**
 * Results of promptfoo in version 3, as `promptfoo import` takes them and its viewer shows them.
 * @see https://www.promptfoo.dev/docs/configuration/outputs/
 */
export const promptfoo: Exporter = {
  name: 'promptfoo',
  title: 'promptfoo',
  writes: 'results, which `promptfoo import` takes and its viewer shows',
  opensWith: (file) => `promptfoo import ${file} && promptfoo view`,
  write: (input, ledger) => [{ name: `${input.run.id}.promptfoo.json`, pieces: writeResults(input, ledger) }],
};

async function* writeResults({ run, results }: ExportInput, ledger: Ledger): AsyncGenerator<string> {
  const evalId = `eval-${run.id}`;
  const totals = run.targets.map(() => startTotals());
  noteOwnParts(run, ledger);
  yield* streamObject({
    evalId,
    results: streamObject({
      version: 3,
      timestamp: run.createdAt,
      results: streamList(translateAll(run, results(), { ledger, totals })),
      prompts: streamLater(() => run.targets.map(({ name }, index) => promptOf(name, totals[index]))),
      stats: streamLater(() => statsOf(totals)),
    }),
    config: {
      description: runTitle(run),
      prompts: ['{{question}}'],
      providers: run.targets.map(({ name }) => ({ id: name, label: name })),
      tests: [],
    },
    shareableUrl: null,
    metadata: {
      exportedBy: `touchstone ${run.touchstoneVersion}`,
      touchstoneRun: run.id,
      evaluationCreatedAt: run.createdAt,
    },
    vars: ['question'],
    runtimeOptions: { repeat: run.attempts },
    traces: streamList(tracesOf(run, results())),
  });
  yield '\n';
}

/** The counts of one target, which promptfoo shows above its column. */
interface Totals {
  score: number;
  passed: number;
  failed: number;
  errors: number;
  assertsPassed: number;
  assertsFailed: number;
  latencyMs: number;
  cost: number;
  prompt: number;
  completion: number;
  readonly named: Map<string, { sum: number; count: number }>;
}

function startTotals(): Totals {
  const [score, passed, failed, errors, assertsPassed, assertsFailed] = [0, 0, 0, 0, 0, 0];
  const [latencyMs, cost, prompt, completion] = [0, 0, 0, 0];
  const results = { score, passed, failed, errors, assertsPassed, assertsFailed };
  return { ...results, latencyMs, cost, prompt, completion, named: new Map() };
}

async function* translateAll(
  run: Run,
  results: AsyncIterable<Result>,
  { ledger, totals }: { readonly ledger: Ledger; readonly totals: readonly Totals[] },
): AsyncGenerator<WrittenResult> {
  for await (const result of results) {
    if (!wasAsked(result)) {
      noteUnasked(ledger, result);
      continue;
    }
    const written = translateResult(run, result, ledger);
    const ofTarget = totals[written.promptIdx];
    if (ofTarget !== undefined) add(ofTarget, written, result);
    yield written;
  }
}

function add(totals: Totals, written: WrittenResult, { trial }: Result): void {
  totals.score += written.score;
  if (written.success) totals.passed += 1;
  else if (written.failureReason === 2) totals.errors += 1;
  else totals.failed += 1;
  const checked = (written.gradingResult?.componentResults ?? []).filter(
    ({ metadata }) => metadata === undefined,
  );
  const passed = checked.filter(({ pass }) => pass).length;
  totals.assertsPassed += passed;
  totals.assertsFailed += checked.length - passed;
  totals.latencyMs += trial.latency?.totalMs ?? 0;
  totals.cost += trial.cost ?? 0;
  totals.prompt += trial.usage?.inputTokens ?? 0;
  totals.completion += trial.usage?.outputTokens ?? 0;
  for (const [name, value] of Object.entries(written.namedScores)) {
    const known = totals.named.get(name) ?? { sum: 0, count: 0 };
    totals.named.set(name, { sum: known.sum + value, count: known.count + 1 });
  }
}

function promptOf(provider: string, totals: Totals = startTotals()): object {
  return {
    raw: '{{question}}',
    label: '{{question}}',
    provider,
    metrics: {
      score: totals.score,
      testPassCount: totals.passed,
      testFailCount: totals.failed,
      testErrorCount: totals.errors,
      assertPassCount: totals.assertsPassed,
      assertFailCount: totals.assertsFailed,
      totalLatencyMs: totals.latencyMs,
      tokenUsage: tokensOf(totals),
      namedScores: Object.fromEntries(Array.from(totals.named, ([name, { sum }]) => [name, sum])),
      namedScoresCount: Object.fromEntries(Array.from(totals.named, ([name, { count }]) => [name, count])),
      cost: totals.cost,
    },
  };
}

function statsOf(totals: readonly Totals[]): object {
  const sum = (read: (each: Totals) => number) => totals.reduce((all, each) => all + read(each), 0);
  return {
    successes: sum(({ passed }) => passed),
    failures: sum(({ failed }) => failed),
    errors: sum(({ errors }) => errors),
    tokenUsage: tokensOf({
      prompt: sum(({ prompt }) => prompt),
      completion: sum(({ completion }) => completion),
    }),
  };
}

function tokensOf({ prompt, completion }: Pick<Totals, 'prompt' | 'completion'>): object {
  return { prompt, completion, cached: 0, total: prompt + completion };
}

/** Yields a trace for every answer with tool calls, as promptfoo keeps them. */
async function* tracesOf(run: Run, results: AsyncIterable<Result>): AsyncGenerator<object> {
  for await (const result of results) {
    const calls = wasAsked(result) ? toolCallsOf(result.trial.transcript) : [];
    if (calls.length === 0) continue;
    const { testIdx, promptIdx } = placeOf(run, result);
    const startMs = Date.parse(result.trial.startedAt);
    yield {
      traceId: result.trial.key.slice(0, 32),
      evaluationId: `eval-${run.id}`,
      testCaseId: `${testIdx}-${promptIdx}`,
      metadata: { testIdx, promptIdx, repeatIndex: result.trial.attempt - 1 },
      spans: calls.map(({ id, name, arguments: args, result: answered, error }, index) => ({
        spanId: (index + 1).toString(16).padStart(16, '0'),
        name: `execute_tool ${name}`,
        startTime: startMs + index * 0.001,
        endTime: startMs + index * 0.001,
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': name,
          'gen_ai.tool.call.id': id,
          'gen_ai.tool.call.arguments': args === undefined ? undefined : JSON.stringify(args),
          'gen_ai.tool.call.result': answered === undefined ? undefined : JSON.stringify(answered),
        },
        ...(error === undefined ? { statusCode: 1 } : { statusCode: 2, statusMessage: error }),
      })),
    };
  }
}

import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { createReading } from '../../../decide/gate/reading.ts';
import { fingerprintScorecard } from '../../../decide/analysis/summary/fingerprint-scorecard.ts';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { isAboutAnswer } from '../../../evaluate/judges/asking/call-model.ts';
import { createLocalExecutor } from '../../../evaluate/executors/local.ts';
import type { Evaluation, ResolvedScorecard, ResolvedTarget } from '../../../evaluate/run/evaluation.ts';
import type { StopSignals } from '../../../evaluate/run/limits/run-control.ts';
import { run } from '../../../evaluate/run/run.ts';
import { neverStopped } from '../../../evaluate/run/run-needs.ts';
import { gateSchema } from '../../../core/schema/gate.ts';
import type { Run, RunScorecard } from '../../../core/schema/run.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { findRun } from '../../../look/queries/runs.ts';
import { createMemoryStore } from '../../../stores/memory.ts';
import type { Store } from '../../../stores/store.ts';
import { type HeldOutPlace, heldOutDataset, logFile } from './held-out-folder.ts';

/** The value of each held-out question, by the hash of its content. */
export type HeldOutValues = ReadonlyMap<string, { readonly value: number; readonly cluster?: string }>;

/** The answers of a target, or why they are not there yet: not in which question, nor in how many. */
export type Asked = { readonly values: HeldOutValues } | { readonly open: 'stopped' | 'judge' | 'fault' };

/** A target to be asked, and the name of the run that gets its answers. */
export interface HeldOutAsking {
  readonly target: ResolvedTarget;
  readonly name: string;
  readonly measure: 'passed' | 'score';
  readonly signals?: StopSignals;
  /** A run whose answers to the same questions are stored. */
  readonly from?: Run;
  /** The file of the folder with the questions, in place of the questions of the set. */
  readonly file?: string;
}

/**
 * Asks a target all held-out questions, or goes on where it was stopped. Nothing of them leaves the folder: neither progress nor
 * messages, and what the bot or its libraries print goes to a file there.
 */
export async function askHeldOut(
  { folder, store }: HeldOutPlace,
  evaluation: Evaluation,
  { target, name, measure, signals = neverStopped, from, file }: HeldOutAsking,
): Promise<Asked> {
  const known = (await store.listRuns()).find((head) => head.name === name);
  const earlier = known === undefined ? from : await store.readRun(known.id);
  const heldOut = {
    ...onlyTarget(evaluation, target),
    dataset: heldOutDataset(folder, file),
    label: { name },
  };
  using quiet = keepInside(path.join(folder, logFile));
  try {
    const isDone = earlier?.name === name && (await isFinished(earlier, store));
    const asked =
      isDone && earlier !== undefined
        ? earlier
        : await run(heldOut, { store, executor: createLocalExecutor(), observer: {}, signals }, earlier);
    if (signals.stop.aborted || asked.stops?.some(({ reason }) => reason === 'batch') === true)
      return { open: 'stopped' };
    if (await isJudgeAway(asked, store)) return { open: 'judge' };
    return { values: await readValues(asked, store, measure) };
  } catch (error) {
    if (error instanceof TouchstoneError && error.code === 'run-in-progress') throw underWay();
    quiet.write(`${error instanceof Error ? error.stack : messageOf(error)}\n`);
    return { open: 'fault' };
  }
}

/** Returns the error for a set that another process asks about now. */
export function underWay(): TouchstoneError {
  return new TouchstoneError('look-refused', 'Another process uses the held-out set now.', {
    remedy: 'Run the same command again when it has ended.',
  });
}

/** Narrows an evaluation to one target, without the limits and conditions by which it could end early. */
function onlyTarget(evaluation: Evaluation, target: ResolvedTarget): Evaluation {
  const { concurrency, timeLimitMs, maxRetries, trialTimeLimitMs } = evaluation.settings;
  return {
    ...evaluation,
    targets: [target],
    notices: [],
    selects: () => true,
    limit: Number.POSITIVE_INFINITY,
    gate: gateSchema.parse({}),
    readGit: undefined,
    settings: {
      concurrency,
      timeLimitMs,
      maxRetries,
      trialTimeLimitMs,
    },
  };
}

async function isFinished(run: Run, store: Store): Promise<boolean> {
  return run.status === 'completed' && !(await isJudgeAway(run, store));
}

/**
 * Returns whether the server of a judge was away, rather than that it failed on some answers: a bot can cause the latter, which
 * then count as wrong.
 */
async function isJudgeAway(run: Run, store: Store): Promise<boolean> {
  let [judged, away] = [0, 0];
  for await (const { verdicts } of store.readResults(run.id)) {
    for (const verdict of Object.values<Verdict>(verdicts ?? {})) {
      if (verdict.status !== 'failed')
        judged += Number((verdict.status === 'scored' ? verdict.judgements : []) !== undefined);
      else if (verdict.code === 'judge-given-up') return true;
      else if (verdict.code.startsWith('judge-') && !isAboutAnswer(verdict.code)) away += 1;
    }
  }
  return away > 0 && judged === 0;
}

/** Reads the answers of a run that was asked before. */
export async function readRecorded(
  { store }: HeldOutPlace,
  name: string,
  measure: 'passed' | 'score',
): Promise<HeldOutValues> {
  return await readValues(await findRun(store, name), store, measure);
}

async function readValues(run: Run, store: Store, measure: 'passed' | 'score'): Promise<HeldOutValues> {
  const reading = createReading(run, { measure });
  const sums = new Float64Array(run.dataset.cases);
  for await (const outcomes of store.readOutcomes(run.id)) {
    for (const outcome of outcomes) {
      const number = 'reason' in reading ? undefined : reading.read(outcome);
      const position = Math.floor(outcome.trial.ordinal / run.attempts);
      // Whatever a bot can cause is a wrong answer, never a third one.
      if (number?.status === 'measured') sums[position] = (sums[position] ?? 0) + number.value;
    }
  }
  const values = new Map<string, { value: number; cluster?: string }>();
  for await (const { position, hash, case: testCase } of store.readCases(run.id)) {
    const sum = sums[position] ?? 0;
    const isRuled = run.caseRule !== undefined && measure === 'passed';
    const value = isRuled ? Number(sum >= (run.caseRule?.passes ?? 1)) : sum / run.attempts;
    values.set(hash, { value, cluster: testCase.cluster });
  }
  return values;
}

/** Sends what is printed to a file, until it is disposed. */
function keepInside(file: string): Disposable & { write(text: string): void } {
  const streams = [process.stdout, process.stderr];
  const originals = streams.map((stream) => stream.write);
  const write = (chunk: unknown): void => appendFileSync(file, chunk as string | Uint8Array, { mode: 0o600 });
  for (const stream of streams)
    stream.write = (chunk: unknown, ...rest: unknown[]): boolean => {
      write(chunk);
      const done = rest.find((each) => typeof each === 'function') as (() => void) | undefined;
      done?.();
      return true;
    };
  return {
    write,
    [Symbol.dispose]: () => {
      for (const [place, stream] of streams.entries()) stream.write = originals[place] as typeof stream.write;
    },
  };
}

/**
 * Sends one question of the working set, before anything is asked of the held-out set. Throws `target-unreachable` when it is not
 * answered.
 */
export async function askOnce(evaluation: Evaluation, target: ResolvedTarget): Promise<void> {
  const store = createMemoryStore();
  try {
    const one = { ...onlyTarget(evaluation, target), limit: 1, attempts: 1, caseRule: undefined };
    const asked = await run(one, {
      store,
      executor: createLocalExecutor(),
      observer: {},
      signals: neverStopped,
    });
    for await (const { trial } of store.readResults(asked.id)) {
      if (trial.status === 'completed') continue;
      const reason = trial.error === undefined ? '' : `: ${trial.error.message}`;
      throw new TouchstoneError(
        'target-unreachable',
        `${target.name} did not answer a question of the working set${reason}`,
        {
          remedy: 'Mend it, and look again; nothing of the held-out set was asked.',
        },
      );
    }
  } finally {
    await store.close();
  }
}

/** Returns how answers are scored, by part, so that a set is never measured by two rules. */
export function rulesOf({
  scorecard,
  metrics,
  users,
  attempts,
  caseRule,
}: Evaluation): Record<string, string> {
  const used = new Set(scorecard?.criteria.map(({ metric }) => metric));
  return {
    scorecard: scorecard === null ? 'none' : fingerprintScorecard(recordOf(scorecard)),
    ...Object.fromEntries(
      metrics
        .filter(({ name }) => used.has(name))
        .map(({ name, version, fingerprint, judge }) => [
          `metric ${name}`,
          [version, fingerprint, judge?.fingerprint ?? ''].join(' '),
        ]),
    ),
    'simulated user': users.simulated?.fingerprint ?? 'none',
    attempts: `${attempts} ${caseRule?.passes ?? ''}`,
  };
}

function recordOf({ evaluate: _evaluate, ...record }: ResolvedScorecard): RunScorecard {
  return record;
}

import { createSecretRedactor, isSecretName } from '../lib/redact-secrets.ts';
import { millisecondsNow } from '../lib/time.ts';
import type { RunNeeds, RunObserver } from '../run/run-needs.ts';
import type { JudgeCall, Judgement } from '../schema/judgement.ts';
import type { ScoredTrial } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import { judgementsOf } from '../schema/verdict.ts';
import { type CollectorSettings, findCollector } from './collector.ts';
import { judgeCallSpan } from './model-span.ts';
import { createSpanSender, type SpanSender } from './span-sender.ts';
import { type OutgoingSpan, placeOfRun, placeOfTrial, type RunPlace, type SpanPlace } from './span.ts';
import { evaluationEvents, type TrialSpanNeeds, trialSpans } from './trial-spans.ts';

/** The settings of telemetry: the collector, and whether texts are sent. */
export interface TelemetrySettings extends CollectorSettings {
  /** True when questions, answers, prompts, arguments and results are part of the spans. */
  readonly content?: boolean | undefined;
}

/**
 * Executes the work that makes a run, and sends spans of the run, its trials and all recorded calls to the user's own
 * OpenTelemetry collector. Sends nothing when `settings` is undefined. A failure to send is reported once and never fails
 * the run. Throws the errors of `findCollector` before anything else.
 */
export async function withTelemetry(
  settings: TelemetrySettings | undefined,
  needs: RunNeeds,
  work: (needs: RunNeeds) => Promise<Run>,
): Promise<Run> {
  if (settings === undefined) return await work(needs);
  const { env } = process;
  const sender = createSpanSender({
    collector: findCollector(settings, env),
    redact: redactorOf(env, settings),
    onFailure: (message) => needs.observer.onNotice?.({ message }),
  });
  const writer = createSpanWriter(sender, settings.content === true);
  try {
    const run = await work({ ...needs, observer: notifyBoth(needs.observer, writer) });
    writer.end(run);
    return run;
  } finally {
    await sender.finish();
  }
}

/** Creates a redactor for secrets of the environment. Short values are kept, since they may be ordinary words. */
function redactorOf(
  environment: Readonly<Record<string, string | undefined>>,
  { headersFromEnv = {} }: TelemetrySettings,
): (text: string) => string {
  const named = new Set(Object.values(headersFromEnv));
  const secrets = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      (isSecretName(entry[0]) || named.has(entry[0])) && (entry[1]?.length ?? 0) >= 8,
  );
  return createSecretRedactor(secrets).text;
}

/** Returns an observer that passes every event on to the given one, and to the writer those that it needs. */
function notifyBoth(observer: RunObserver, writer: SpanWriter): Required<RunObserver> {
  return {
    onNotice: (notice) => observer.onNotice?.(notice),
    onKept: (trials) => observer.onKept?.(trials),
    onPlanned: (run) => {
      observer.onPlanned?.(run);
      writer.onPlanned(run);
    },
    onCalling: (change) => observer.onCalling?.(change),
    onRecorded: (trial) => observer.onRecorded?.(trial),
    onStopped: (stop) => observer.onStopped?.(stop),
    onJudged: (judgements) => {
      observer.onJudged?.(judgements);
      writer.onJudged(judgements);
    },
    onNotNeeded: (trials) => observer.onNotNeeded?.(trials),
    onWorkers: (workers) => observer.onWorkers?.(workers),
    onScored: (trials) => {
      observer.onScored?.(trials);
      writer.onScored(trials);
    },
  };
}

/** The most judgements and call ids that are kept in memory, whatever the size of the run. */
const mostKnown = 5000;

/** A writer that turns the records of an active run into spans. */
interface SpanWriter extends Required<Pick<RunObserver, 'onPlanned' | 'onJudged' | 'onScored'>> {
  /** Writes the span of the run, which has ended. */
  end(run: Run): void;
}

/** Creates a writer for one run. It writes only what is recorded: the span of a trial when the trial is scored. */
function createSpanWriter(sender: Pick<SpanSender, 'add'>, withContent: boolean): SpanWriter {
  const startMs = millisecondsNow();
  /** The judgements made in this run whose trial is not scored yet. */
  const pending = new Map<string, Judgement>();
  const written = new Set<string>();
  let planned: { readonly run: Run; readonly place: RunPlace } | undefined;

  const writeCalls = (judgements: readonly Judgement[], within: SpanPlace) => {
    const calls: JudgeCall[] = [];
    if (written.size > mostKnown) written.clear();
    for (const judgement of judgements) {
      pending.delete(judgement.id);
      // A call that answered several questions is written once.
      calls.push(...judgement.calls.filter(({ id }) => !written.has(id)));
      for (const { id } of judgement.calls) written.add(id);
    }
    sender.add(calls.map((call) => judgeCallSpan(call, within, withContent)));
  };

  const write = (scored: ScoredTrial, { run, place }: NonNullable<typeof planned>) => {
    const judgements = judgementsOf(scored.verdicts).flatMap((id) => pending.get(id) ?? []);
    const needs = { run, place, withContent };
    const isRescored = run.rescoredFrom !== undefined;
    sender.add(isRescored ? [scoringSpan(scored, judgements, needs)] : trialSpans(scored, needs));
    writeCalls(judgements, placeOfTrial(place, scored.trial.key));
  };

  return {
    onPlanned: (run) => {
      planned = { run, place: placeOfRun(run, startMs) };
    },
    onJudged: (judgements) => {
      // Judgements that come before the plan belong to an earlier part of the run.
      if (planned === undefined) return;
      for (const judgement of judgements) pending.set(judgement.id, judgement);
      if (pending.size > mostKnown) writeCalls([...pending.values()], planned.place);
    },
    onScored: (trials) => {
      if (planned === undefined) return;
      for (const scored of trials) write(scored, planned);
    },
    end: (run) => {
      if (planned === undefined) return;
      writeCalls([...pending.values()], planned.place);
      sender.add([runSpan(run, planned.place, { startMs, endMs: millisecondsNow() })]);
    },
  };
}

/** Returns the span of a run, or of the part of it that was made now. */
function runSpan(
  run: Run,
  { runId: _runId, isApart: _isApart, ...place }: RunPlace,
  { startMs, endMs }: Pick<OutgoingSpan, 'startMs' | 'endMs'>,
): OutgoingSpan {
  const { id, status, dataset, targets, attempts, summary, description } = run;
  return {
    ...place,
    name: 'touchstone run',
    kind: 'internal',
    startMs,
    endMs,
    attributes: {
      'touchstone.run.id': id,
      'touchstone.run.status': status,
      'touchstone.run.description': description,
      'touchstone.run.decision': summary?.decision.outcome,
      'touchstone.run.targets': targets.map(({ name }) => name),
      'touchstone.run.cases': dataset.cases,
      'touchstone.run.attempts': attempts,
      'touchstone.dataset.hash': dataset.hash,
      'touchstone.continues': run.continues,
      'touchstone.rescored_from': run.rescoredFrom,
    },
  };
}

/**
 * Returns the span of a stored trial that is scored again, with an event for each evaluation. No target is called; the span
 * lasts from the first call of a judge, and has no length without one.
 */
function scoringSpan(
  scored: ScoredTrial,
  judgements: readonly Judgement[],
  { run, place, withContent }: TrialSpanNeeds,
): OutgoingSpan {
  const { trial, case: testCase } = scored;
  const endMs = millisecondsNow();
  const starts = judgements.flatMap(({ calls }) => calls.map(({ startedAt }) => Date.parse(startedAt)));
  return {
    ...placeOfTrial(place, trial.key),
    name: `score ${trial.target}`,
    kind: 'internal',
    startMs: Math.min(endMs, ...starts),
    endMs,
    attributes: {
      'gen_ai.conversation.id': trial.key,
      'touchstone.run.id': run.id,
      'touchstone.case.id': trial.caseId,
      'touchstone.case.category': testCase.category,
      'touchstone.trial.attempt': trial.attempt,
      'touchstone.trial.status': trial.status,
    },
    events: evaluationEvents(scored, { timeMs: endMs, run, withContent }),
  };
}

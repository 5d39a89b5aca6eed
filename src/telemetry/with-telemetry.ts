import { createSecretRedactor, isSecretName } from '../lib/redact-secrets.ts';
import { millisecondsNow } from '../lib/time.ts';
import type { RunNeeds, RunObserver } from '../run/run-needs.ts';
import type { JudgeCall, Judgement } from '../schema/judgement.ts';
import type { ScoredTrial } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import { judgementsOf } from '../schema/verdict.ts';
import { type CollectorSettings, findCollector } from './collector.ts';
import { judgeCallSpan, placeOfRun, placeOfTrial, type RunPlace } from './model-span.ts';
import { createSpanSender, type SpanSender } from './span-sender.ts';
import type { OutgoingSpan, SpanPlace } from './span.ts';
import { evaluationEvents, type TrialSpanNeeds, trialSpans } from './trial-spans.ts';

/** What is to be sent where. */
export interface TelemetrySettings extends CollectorSettings {
  /** Whether questions, answers, prompts, arguments and results are part of the spans. */
  readonly content?: boolean | undefined;
}

/**
 * Does what makes a run, and sends a span of the run, of each of its trials and of each call that is on record to the
 * user's own OpenTelemetry collector. Sends nothing where `settings` is undefined. What goes wrong with it is told once,
 * and never the fault of the run. Throws what `findCollector` does, before anything else.
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
    tell: (message) => needs.observer.onNotice?.({ message }),
  });
  const writer = createSpanWriter(sender, settings.content === true);
  try {
    const run = await work({ ...needs, observer: tellBoth(needs.observer, writer) });
    writer.end(run);
    return run;
  } finally {
    await sender.finish();
  }
}

/** Secrets of the environment, by value. Short values may be ordinary words. */
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

function tellBoth(observer: RunObserver, writer: SpanWriter): Required<RunObserver> {
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
    onScored: (trials) => {
      observer.onScored?.(trials);
      writer.onScored(trials);
    },
  };
}

/** How much is remembered: what a run of a million trials may not be the measure of. */
const mostKnown = 5000;

/** Makes spans of the records of a run while it goes on. */
interface SpanWriter extends Required<Pick<RunObserver, 'onPlanned' | 'onJudged' | 'onScored'>> {
  /** Tells how the run has ended. */
  end(run: Run): void;
}

/** Makes a writer for one run. Only what is on record is written: a span is there when its trial has been scored. */
function createSpanWriter(sender: Pick<SpanSender, 'add'>, withContent: boolean): SpanWriter {
  const startMs = millisecondsNow();
  /** What was asked in this run, until the trial that it is about has been scored. */
  const asked = new Map<string, Judgement>();
  const written = new Set<string>();
  let begun: { readonly run: Run; readonly place: RunPlace } | undefined;

  const writeCalls = (judgements: readonly Judgement[], within: SpanPlace) => {
    const calls: JudgeCall[] = [];
    if (written.size > mostKnown) written.clear();
    for (const judgement of judgements) {
      asked.delete(judgement.id);
      // A call that answered several questions is one call.
      calls.push(...judgement.calls.filter(({ id }) => !written.has(id)));
      for (const { id } of judgement.calls) written.add(id);
    }
    sender.add(calls.map((call) => judgeCallSpan(call, within, withContent)));
  };

  const write = (scored: ScoredTrial, { run, place }: NonNullable<typeof begun>) => {
    const judgements = judgementsOf(scored.verdicts).flatMap((id) => asked.get(id) ?? []);
    const needs = { run, place, withContent };
    const isScoredAnew = run.rescoredFrom !== undefined;
    sender.add(isScoredAnew ? [scoringSpan(scored, judgements, needs)] : trialSpans(scored, needs));
    writeCalls(judgements, placeOfTrial(place, scored.trial.key));
  };

  return {
    onPlanned: (run) => {
      begun = { run, place: placeOfRun(run, startMs) };
    },
    onJudged: (judgements) => {
      // Told before the run is planned, they are of an earlier part of it.
      if (begun === undefined) return;
      for (const judgement of judgements) asked.set(judgement.id, judgement);
      if (asked.size > mostKnown) writeCalls([...asked.values()], begun.place);
    },
    onScored: (trials) => {
      if (begun === undefined) return;
      for (const scored of trials) write(scored, begun);
    },
    end: (run) => {
      if (begun === undefined) return;
      writeCalls([...asked.values()], begun.place);
      sender.add([runSpan(run, begun.place, { startMs, endMs: millisecondsNow() })]);
    },
  };
}

/** The span of a run, or of the part of it that was made now. */
function runSpan(
  run: Run,
  { runId: _known, isApart: _told, ...place }: RunPlace,
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
 * The span of a stored trial that is scored anew, with an event for everything that was said of it. No target was called;
 * it lasts from the first question to a judge, and has no length where none was asked.
 */
function scoringSpan(
  scored: ScoredTrial,
  asked: readonly Judgement[],
  { run, place, withContent }: TrialSpanNeeds,
): OutgoingSpan {
  const { trial, case: testCase } = scored;
  const endMs = millisecondsNow();
  const starts = asked.flatMap(({ calls }) => calls.map(({ startedAt }) => Date.parse(startedAt)));
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

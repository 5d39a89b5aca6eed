import { hostname } from 'node:os';
import { createSecretRedactor, isSecretName } from '../../core/lib/redact-secrets.ts';
import { millisecondsNow } from '../../core/lib/time.ts';
import { passEvents, type PlanPart, type RunNeeds, type RunObserver } from '../../evaluate/run/run-needs.ts';
import type { JudgeCall, Judgement } from '../../core/schema/judgement.ts';
import type { ScoredTrial } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import { judgementsOf } from '../../core/schema/verdict.ts';
import { type CollectorSettings, findCollector } from './collector.ts';
import { createFleetMetrics, type FleetMetrics } from './fleet-metrics.ts';
import { judgeCallSpan } from './model-span.ts';
import { createSpanSender, type SpanSender } from './span-sender.ts';
import {
  formatTraceparent,
  type OutgoingSpan,
  placeOfJoinedRun,
  placeOfRun,
  placeOfTrial,
  placeWithin,
  type RunPlace,
  type SpanPlace,
} from './span.ts';
import { scoringSpan, trialSpans } from './trial-spans.ts';

/** The settings of telemetry: the collector, and whether texts are sent. */
export interface TelemetrySettings extends CollectorSettings {
  /** True when questions, answers, prompts, arguments and results are part of the spans. */
  readonly content?: boolean;
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
  const { fleet } = needs;
  return await withWriter(settings, needs.observer, async (writer, metrics) => {
    const observer = notifyBoth(needs.observer, writer);
    const run = await work({
      ...needs,
      observer: fleet === undefined ? observer : metrics.countFor(observer),
      traceparentOf: writer.traceparentOf,
      // Workers send what they do themselves.
      ...(fleet !== undefined && {
        fleet: {
          work: async (planned, given) => await fleet.work(planned, { ...given, observer: needs.observer }),
        },
      }),
    });
    writer.end(run);
    return run;
  });
}

/**
 * Executes the work of a process that helps with a run, and sends the spans of the parts that it works on, their trials and all
 * recorded calls, in the trace of the run. Sends nothing when `settings` is undefined.
 */
export async function withWorkerTelemetry<Result>(
  settings: TelemetrySettings | undefined,
  observer: RunObserver,
  work: (observer: RunObserver) => Promise<Result>,
): Promise<Result> {
  if (settings === undefined) return await work(observer);
  return await withWriter(
    settings,
    observer,
    async (writer, metrics) => await work(metrics.countFor(notifyBoth(observer, writer))),
  );
}

async function withWriter<Result>(
  settings: TelemetrySettings,
  observer: RunObserver,
  work: (writer: SpanWriter, metrics: FleetMetrics) => Promise<Result>,
): Promise<Result> {
  const { env } = process;
  const [collector, redact] = [findCollector(settings, env), redactorOf(env, settings)];
  const onFailure = (message: string) => observer.onNotice?.({ message });
  const sender = createSpanSender({ collector, redact, onFailure });
  const metrics = createFleetMetrics(collector, redact);
  try {
    return await work(createSpanWriter(sender, settings.content === true), metrics);
  } finally {
    await Promise.all([sender.finish(), metrics.finish()]);
  }
}

/** Creates a redactor for secrets of the environment. Short values stay, since they may be ordinary words. */
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

/** Returns an observer that passes every event on to the given one, and to the writer what it needs. */
function notifyBoth(observer: RunObserver, writer: SpanWriter): Required<RunObserver> {
  const passed = passEvents(observer);
  return {
    ...passed,
    onPlanned: (run) => {
      passed.onPlanned(run);
      writer.onPlanned(run);
    },
    onJudged: (judgements) => {
      passed.onJudged(judgements);
      writer.onJudged(judgements);
    },
    onJoined: (run, traceparent) => {
      passed.onJoined(run, traceparent);
      writer.onJoined(run, traceparent);
    },
    onPart: (part, isUnderWay) => {
      passed.onPart(part, isUnderWay);
      writer.onPart(part, isUnderWay);
    },
    onScored: (trials) => {
      passed.onScored(trials);
      writer.onScored(trials);
    },
  };
}

/** The most judgements and call ids that are held in memory, whatever the size of the run. */
const mostKnown = 5000;

/** A writer that turns the records of an active run into spans. */
interface SpanWriter
  extends Required<Pick<RunObserver, 'onPlanned' | 'onJoined' | 'onPart' | 'onJudged' | 'onScored'>> {
  /** Returns the span of the run for other processes. */
  traceparentOf(run: Run): string;
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
  const parts = new Map<string, OpenPart>();

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

  const write = (scored: ScoredTrial, { run, place: ofRun }: NonNullable<typeof planned>) => {
    const place = placeOfPart([...parts.values()], scored, run) ?? ofRun;
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
    onJoined: (run, traceparent) => {
      planned = { run, place: placeOfJoinedRun(run, traceparent) };
    },
    onPart: (part, isUnderWay) => {
      if (planned === undefined) return;
      const open = parts.get(part.name);
      if (isUnderWay) parts.set(part.name, openPart(part, planned.place));
      else if (open !== undefined) {
        parts.delete(part.name);
        // Calls of trials that are not scored are no other part's, once all parts have ended.
        if (parts.size === 0) writeCalls([...pending.values()], open.place);
        sender.add([partSpan(open, planned.run)]);
      }
    },
    traceparentOf: (run) => formatTraceparent(placeOfRun(run, startMs)),
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

/** A part of a plan that this process works on. */
interface OpenPart extends PlanPart {
  readonly place: ReturnType<typeof placeWithin>;
  /** The place of its run. */
  readonly within: RunPlace;
  readonly startMs: number;
}

function openPart(part: PlanPart, within: RunPlace): OpenPart {
  const startMs = millisecondsNow();
  // A part may be worked on twice, by processes that know nothing of each other.
  const place = placeWithin(within, `part ${part.name} ${process.pid} ${startMs}`);
  return { ...part, place, within, startMs };
}

/** Returns the place of the trials of the part that contains a trial; undefined when none that is worked on does. */
function placeOfPart(
  parts: readonly OpenPart[],
  { trial }: ScoredTrial,
  { targets, attempts }: Run,
): RunPlace | undefined {
  const position = Math.floor(trial.ordinal / (targets.length * attempts));
  const part = parts.find(({ from, to }) => from <= position && position < to);
  return part && { ...part.within, spanId: part.place.spanId };
}

function partSpan({ name, place, startMs }: OpenPart, run: Run): OutgoingSpan {
  return {
    ...place,
    name: 'touchstone.part',
    kind: 'internal',
    startMs,
    endMs: millisecondsNow(),
    attributes: {
      'touchstone.run.id': run.id,
      'touchstone.part.name': name,
      'host.name': hostname(),
      'process.pid': process.pid,
    },
  };
}

/** Returns the span of a run, or of the part of it that was made now. */
function runSpan(
  run: Run,
  { runId: _runId, isApart: _isApart, ...place }: RunPlace,
  { startMs, endMs }: Pick<OutgoingSpan, 'startMs' | 'endMs'>,
): OutgoingSpan {
  const { id, status, dataset, targets, attempts, summary, description, name, note, tags = {} } = run;
  return {
    ...place,
    name: 'touchstone run',
    kind: 'internal',
    startMs,
    endMs,
    attributes: {
      'touchstone.run.id': id,
      'touchstone.run.status': status,
      'touchstone.run.name': name,
      'touchstone.run.note': note,
      'touchstone.run.tags': Object.entries(tags).map(([key, value]) => `${key}=${value}`),
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

import { judgementsOf } from '../schema/verdict.ts';
import { millisecondsNow } from '../lib/time-now.ts';
import type { JudgeCall, Judgement } from '../schema/judgement.ts';
import type { Run } from '../schema/run.ts';
import type { ScoredTrial } from '../schema/scored-trial.ts';
import type { RunObserver } from '../run/run-needs.ts';
import { judgeCallSpan } from './model-span.ts';
import { runSpan } from './run-span.ts';
import { scoringSpan } from './scoring-span.ts';
import type { SpanPlace } from './span.ts';
import { placeOfRun, placeOfTrial, type RunPlace } from './span-ids.ts';
import type { SpanSender } from './span-sender.ts';
import { trialSpans } from './trial-spans.ts';

/** How much is remembered: what a run of a million trials may not be the measure of. */
const mostKnown = 5000;

/** Makes spans of the records of a run while it goes on. */
export interface SpanWriter extends Required<Pick<RunObserver, 'onPlanned' | 'onJudged' | 'onScored'>> {
  /** Tells how the run has ended. */
  end(run: Run): void;
}

/** Makes a writer for one run. Only what is on record is written: a span is there when its trial has been scored. */
export function createSpanWriter(sender: Pick<SpanSender, 'add'>, withContent: boolean): SpanWriter {
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

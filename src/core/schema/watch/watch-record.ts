import { z } from 'zod';
import { wholeNumber } from '../json.ts';

/** The kinds of changes of which a message is sent. */
export const watchChangeSchema = z.enum(['fail', 'recovered', 'not-measured']);
export type WatchChange = z.infer<typeof watchChangeSchema>;

/** The state of a rule after the last day. */
const ruleStateSchema = () =>
  z.object({
    /** The hash of the rule as it is written: another rule begins again. */
    rule: z.string(),
    /** The last day before the evidence began again; null where it began with the watch. */
    after: z.string().nullable(),
    /** The day of the alarm that lasts; null without one. */
    alarmSince: z.string().nullable(),
    /** The day since which nothing is measured; null where the last day was measured. */
    unmeasuredSince: z.string().nullable(),
    /** The evidence for an alarm or, while one lasts, for a recovery. */
    evidence: z.number(),
  });
export type RuleState = z.infer<ReturnType<typeof ruleStateSchema>>;

/** A message that is yet to be delivered. It holds no text of questions and answers. */
const watchMessageSchema = () =>
  z.object({
    /** The id under which it is sent, however often. */
    id: z.string(),
    outcome: watchChangeSchema,
    text: z.string(),
    rule: z.string().nullable(),
    run: z.string().nullable(),
    evidence: z.number().nullable(),
  });
export type WatchMessage = z.infer<ReturnType<typeof watchMessageSchema>>;

/** A watch over the traces of production, with the state of its rules and the messages that are yet to be delivered. */
export const watchSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    rules: z.record(z.string(), ruleStateSchema()),
    outbox: z.array(watchMessageSchema()),
  }),
);
export type Watch = z.infer<typeof watchSchema>;

/** The scores of a rule on a day. */
const dayScoresSchema = () =>
  z.object({
    /** The measured scores in the order of the draw; at least the threshold is good. */
    scores: z.array(z.number()),
    /** The number of answers that should have a score and have none. */
    missing: wholeNumber(),
  });
export type ScoresOfDay = z.infer<ReturnType<typeof dayScoresSchema>>;

/** A day of a watch: what there was, what was drawn of it, and what was measured. */
export const watchDaySchema = z.lazy(() =>
  z.object({
    watch: z.string(),
    /** `2026-11-28`, in UTC. */
    day: z.string(),
    /** The times between which its traces began; ISO 8601. */
    from: z.string(),
    until: z.string(),
    /** All conversations, or traces, of the window, with the hash of their ids. */
    frame: z.object({ units: wholeNumber(), hash: z.string() }),
    /** The chance of each unit of the frame to be drawn. */
    probability: z.number(),
    seed: z.string(),
    drawn: z.array(z.object({ id: z.string(), traces: z.array(z.string()).min(1) })),
    /** The run that scored them; null until it has ended. */
    run: z.string().nullable(),
    /** The scores by rule; null until the run has ended. */
    scores: z.record(z.string(), dayScoresSchema()).nullable(),
  }),
);
export type WatchDay = z.infer<typeof watchDaySchema>;

/** The name of the source of runs that score stored traces, in place of a file. */
export const storedTraces = 'stored traces';

/** Returns the name of the watch that made a run; undefined for every other run. */
export function watchOf(run: {
  readonly dataset: { readonly sources: readonly string[] };
  readonly tags?: Readonly<Record<string, string>>;
}): string | undefined {
  return run.dataset.sources[0] === storedTraces ? run.tags?.['watch'] : undefined;
}

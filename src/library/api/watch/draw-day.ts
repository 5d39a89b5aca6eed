import { randomId } from '../../../core/lib/random-id.ts';
import type { WatchDay } from '../../../core/schema/watch/watch-record.ts';
import type { WatchSetting } from '../../../core/schema/watch/watch-setting.ts';
import { drawUnits } from '../../../cases/traces/draw-units.ts';
import { addDocument } from '../../../stores/documents/document-store.ts';
import { watchDayKind } from '../../../stores/kinds/watch.ts';
import type { Store } from '../../../stores/store.ts';

/** The time after its end at which a trace is taken as whole, in milliseconds: exporters send late. */
const settledMs = 10 * 60 * 1000;

/** The traces of a day to draw from, and how many. */
export interface DayChoice {
  /** The length of the window in milliseconds. */
  readonly sinceMs: number;
  /** The end of the window, in milliseconds since 1970. */
  readonly untilMs: number;
  readonly sample: number;
}

/** Returns the day of a watch at a time, in UTC. */
export function dayAt(untilMs: number): string {
  return new Date(untilMs).toISOString().slice(0, 10);
}

/**
 * Returns the day of a watch: the one that was drawn before, or one that is drawn now and stored before anything is scored. Undefined
 * when no trace arrived that can be scored.
 */
export async function drawDay(
  store: Store,
  { name, unit }: Pick<WatchSetting, 'name' | 'unit'>,
  { sinceMs, untilMs, sample }: DayChoice,
): Promise<WatchDay | undefined> {
  const day = dayAt(untilMs);
  const known = await store.documents.get(watchDayKind, [name, day]);
  if (known !== undefined) return known;
  const seen = new Set<string>();
  for await (const { drawn } of store.documents.list(watchDayKind, { where: { watch: name } }))
    for (const { id } of drawn) seen.add(id);
  const [fromMs, endMs] = [untilMs - settledMs - sinceMs, untilMs - settledMs];
  const seed = randomId();
  const { frame, probability, drawn } = await drawUnits(
    store,
    { fromMs, untilMs: endMs, unit, seen },
    { sample, seed },
  );
  if (drawn.length === 0) return undefined;
  const [from, until] = [fromMs, endMs].map((ms) => new Date(ms).toISOString()) as [string, string];
  const fresh: WatchDay = {
    watch: name,
    day,
    from,
    until,
    frame,
    probability,
    seed,
    drawn: drawn.map(({ id, traces }) => ({ id, traces: [...traces] })),
    run: null,
    scores: null,
  };
  // Another process may have drawn the day in the meantime: its draw counts.
  if (await addDocument(store.documents, watchDayKind, fresh)) return fresh;
  return await store.documents.get(watchDayKind, [name, day]);
}

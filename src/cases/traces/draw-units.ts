import { hashContent, hashText } from '../../core/lib/content-hash.ts';
import { compareSpans, type StoredTrace, type TraceHead } from '../../core/schema/trace/stored-trace.ts';
import type { Store } from '../../stores/store.ts';
import { traceKind } from '../../stores/kinds/trace.ts';
import { readTrace } from '../../stores/traces/trace-records.ts';
import { readFacts, type TraceFacts } from './trace-facts.ts';

/** A conversation, or a trace that belongs to none, with the ids of its traces in the order in which they began. */
export interface TraceUnit {
  readonly id: string;
  readonly traces: readonly string[];
}

/** The traces from which some are drawn. */
export interface TraceWindow {
  /** The times between which they ended, in milliseconds; the second one excluded. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly unit: 'conversation' | 'trace';
  /** The ids of the units that were drawn before. */
  readonly seen: ReadonlySet<string>;
}

/** Units drawn at random. */
export interface DrawnUnits {
  readonly frame: { readonly units: number; readonly hash: string };
  /** The chance of each unit of the frame to be drawn. */
  readonly probability: number;
  readonly drawn: readonly TraceUnit[];
}

/** A unit that was read: its traces as one, and what they say. */
export interface ReadUnit {
  readonly trace: StoredTrace;
  readonly facts: TraceFacts;
}

/**
 * Draws units of a window at random. Units without a model, an agent or a tool, and those that an evaluation asked, are no answers of
 * production: they are passed over, which leaves the chance of the others as it is.
 */
export async function drawUnits(
  store: Store,
  window: TraceWindow,
  { sample, seed }: { readonly sample: number; readonly seed: string },
): Promise<DrawnUnits> {
  const units = await listUnits(store, window);
  const ids = units.map(({ id }) => id).toSorted();
  const order = units
    .map((unit) => ({ unit, place: hashText(`${seed} ${unit.id}`) }))
    .toSorted((one, other) => (one.place < other.place ? -1 : 1));
  const drawn: TraceUnit[] = [];
  let examined = 0;
  for (const { unit } of order) {
    if (drawn.length >= sample) break;
    examined += 1;
    const read = await readUnit(store, unit);
    if (read !== undefined && read.facts.evaluatedCase === null) drawn.push(unit);
  }
  return {
    frame: { units: units.length, hash: hashContent(ids) },
    probability: units.length === 0 ? 0 : examined / units.length,
    drawn,
  };
}

/** Lists the units that ended within a window, and of which none was drawn before. */
async function listUnits(
  { documents }: Pick<Store, 'documents'>,
  { fromMs, untilMs, unit, seen }: TraceWindow,
): Promise<TraceUnit[]> {
  const [from, until] = [fromMs, untilMs].map((ms) => new Date(ms).toISOString()) as [string, string];
  const groups = new Map<string, TraceHead[]>();
  for await (const head of documents.list(traceKind)) {
    const id = (unit === 'conversation' ? head.conversation : null) ?? head.traceId;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [head]);
    else group.push(head);
  }
  return [...groups].flatMap(([id, heads]) => {
    const end = heads.map(endOf).toSorted().at(-1) ?? '';
    if (end < from || end >= until || seen.has(id)) return [];
    const inOrder = heads.toSorted((one, other) => (beginOf(one) < beginOf(other) ? -1 : 1));
    return [{ id, traces: inOrder.map(({ traceId }) => traceId) }];
  });
}

function beginOf({ startedAt, receivedAt }: TraceHead): string {
  return startedAt ?? receivedAt;
}

/** Returns the end of a trace, as exactly as it is known. */
function endOf(head: TraceHead): string {
  return head.endedAt ?? beginOf(head);
}

/** Reads a unit; undefined for one whose traces are gone, and for one without a model, an agent or a tool. */
export async function readUnit(store: Store, { id, traces }: TraceUnit): Promise<ReadUnit | undefined> {
  const read: StoredTrace[] = [];
  for (const traceId of traces) {
    const trace = await readTrace(store, traceId);
    if (trace !== undefined) read.push(trace);
  }
  const [first] = read;
  if (first === undefined) return undefined;
  const trace = {
    // The id of a unit is the id of its conversation, or else of its trace.
    head: { ...first.head, conversation: id === first.head.traceId ? null : id },
    spans: read.flatMap(({ spans }) => spans).toSorted(compareSpans),
  };
  const facts = readFacts(trace);
  return facts === undefined ? undefined : { trace, facts };
}

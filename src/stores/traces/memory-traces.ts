import { copyJson } from '../../core/lib/json/copy-json.ts';
import { compareSpans, type StoredSpan, type TraceHead } from '../../core/schema/trace/stored-trace.ts';
import { chooseTurn, type TraceQuery } from '../feedback/choose-answer.ts';
import { joinHead, refuseSpan, type TraceChoice, type TraceStore } from './trace-store.ts';

/** A trace in memory. */
interface TraceInMemory {
  head: TraceHead;
  readonly spans: Map<string, StoredSpan>;
}

/** Creates an empty collection of traces in memory. `countWrites` returns a number that grows with every write. */
export function createMemoryTraces(): {
  readonly traces: TraceStore;
  readonly countWrites: () => number;
  /** Returns the id of the trace that a feedback is about. */
  readonly findTrace: (query: TraceQuery) => string | undefined;
} {
  const kept = new Map<string, TraceInMemory>();
  const erased = new Set<string>();
  let writes = 0;

  const traces: TraceStore = {
    add: async (spans, joining) => {
      writes += 1;
      let [added, known] = [0, 0];
      const refused = { late: 0, erased: 0, 'trace-too-large': 0 };
      const touched = new Set<string>();
      for (const span of copyJson(spans)) {
        const trace = kept.get(span.traceId);
        const refusal = erased.has(span.traceId) ? 'erased' : refuseSpan(trace?.head, joining);
        if (trace?.spans.has(span.spanId) === true) known += 1;
        else if (refusal !== undefined) refused[refusal] += 1;
        else {
          added += 1;
          touched.add(span.traceId);
          const joined = trace ?? { head: joinHead(undefined, span, joining), spans: new Map() };
          if (trace !== undefined) trace.head = joinHead(trace.head, span, joining);
          joined.spans.set(span.spanId, span);
          kept.set(span.traceId, joined);
        }
      }
      return { added, known, refused, traces: [...touched] };
    },
    find: async (traceId) => {
      const found = kept.get(traceId);
      return found && copyJson({ head: found.head, spans: [...found.spans.values()].sort(compareSpans) });
    },
    list: async (choice = {}) => {
      const heads = Array.from(kept.values(), ({ head }) => head).filter(matches(choice));
      return copyJson(heads.sort(newestFirst).slice(0, choice.limit));
    },
    count: async () => kept.size,
    erase: async (ids) => {
      writes += 1;
      for (const id of ids) erased.add(id);
      return [...new Set(ids)].filter((id) => kept.delete(id));
    },
    trim: async ({ receivedSince, most, atOnce = Number.POSITIVE_INFINITY }) => {
      const heads = Array.from(kept.values(), ({ head }) => head).sort(newestFirst);
      const beyond = heads.filter(({ receivedAt }, index) => index >= most || receivedAt < receivedSince);
      let left = atOnce;
      const removed = beyond.filter(({ spans }, index) => (left -= spans) >= 0 || index === 0);
      for (const { traceId } of removed) kept.delete(traceId);
      writes += Number(removed.length > 0);
      return removed.length;
    },
  };
  const findTrace = (query: TraceQuery) => {
    if ('traceId' in query) return kept.has(query.traceId) ? query.traceId : undefined;
    const turns = Array.from(kept.values(), ({ head }) => head)
      .filter(({ conversation }) => conversation === query.conversation)
      .sort(compareStarts);
    return chooseTurn(
      turns.map(({ traceId }) => traceId),
      query.turn,
    );
  };
  return { traces, countWrites: () => writes, findTrace };
}

function compareStarts(one: TraceHead, other: TraceHead): number {
  const [a, b] = [`${one.startedAt ?? ''} ${one.traceId}`, `${other.startedAt ?? ''} ${other.traceId}`];
  return a < b ? -1 : Number(a > b);
}

function newestFirst(one: TraceHead, other: TraceHead): number {
  const [a, b] = [`${one.receivedAt} ${one.traceId}`, `${other.receivedAt} ${other.traceId}`];
  return a < b ? 1 : -Number(a > b);
}

function matches({ conversation, user, idPrefix }: TraceChoice): (head: TraceHead) => boolean {
  return (head) =>
    (conversation === undefined || head.conversation === conversation) &&
    (user === undefined || head.user?.hash === user) &&
    (idPrefix === undefined || head.traceId.startsWith(idPrefix));
}

import type { Store } from '../../stores/store.ts';
import type { RatedTrace } from './pick-traces.ts';
import { readFacts } from './trace-facts.ts';
import { feedbackKind } from '../../stores/kinds/feedback.ts';
import { proposalKind } from '../../stores/kinds/proposal.ts';
import { traceKind } from '../../stores/kinds/trace.ts';
import { matchFeedback } from '../../stores/feedback/feedback-records.ts';
import { readTrace } from '../../stores/traces/trace-records.ts';

/** The traces that can be picked, and the numbers of those that cannot, by the reason, as a phrase. */
export interface RatedTraces {
  readonly rated: readonly RatedTrace[];
  readonly left: Readonly<Record<string, number>>;
}

/** The choice of traces to read. */
export interface TraceSelection {
  /** The ids of traces, which are read even where they would be skipped; all traces that can be picked by default. */
  readonly ids?: readonly string[];
  /** True to read traces of which a case was proposed, too. */
  readonly isProposedToo?: boolean;
  /** ISO 8601. */
  readonly now: string;
}

/**
 * Reads stored traces with the feedback about them. It skips traces that still take spans, that were proposed before, that
 * contain no answer, or that an evaluation recorded. Waiting feedback is matched first.
 */
export async function rateTraces(
  store: Store,
  { ids, isProposedToo = false, now }: TraceSelection,
): Promise<RatedTraces> {
  await matchFeedback(store, now);
  const feedback = Map.groupBy(
    await Array.fromAsync(store.documents.list(feedbackKind, { from: { trace: '' } })),
    ({ trace }) => trace ?? '',
  );
  const rated: RatedTrace[] = [];
  const left: Record<string, number> = {};
  const leave = (reason: string) => (left[reason] = (left[reason] ?? 0) + 1);
  const proposed = isProposedToo ? new Set<string>() : await readProposedTraces(store);
  for (const { traceId, openUntil } of await Array.fromAsync(store.documents.list(traceKind))) {
    if (ids?.includes(traceId) === false) continue;
    const isAsked = ids !== undefined;
    if (!isAsked && openUntil > now) leave('spans may still come');
    else if (!isAsked && proposed.has(traceId)) leave('a question of it was proposed');
    else {
      const trace = await readTrace(store, traceId);
      const facts = trace && readFacts(trace);
      if (facts === undefined) leave('it contains no answer of a model');
      else if (!isAsked && facts.evaluatedCase !== null) leave('it is of an evaluation');
      else rated.push({ facts, feedback: (feedback.get(traceId) ?? []).map((each) => each.feedback) });
    }
  }
  return { rated, left };
}

async function readProposedTraces({ documents }: Pick<Store, 'documents'>): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  // A question that a model drafted from a trace is not the one that its user asked.
  for await (const { proposal } of documents.list(proposalKind))
    if (proposal.source.type === 'trace' && !proposal.isSynthetic) ids.add(proposal.source.traceId);
  return ids;
}

import type { RecordedTrace, Span } from '../../schema/recorded-trace.ts';
import { conversationOfSpan } from './trace-families.ts';

/**
 * Parts spans by the conversation that they are of, as where one trace goes round a whole test run. A span that does not say
 * so is of the conversation of the span around it, else of the only one that its trace knows.
 */
export function splitConversations(spans: readonly Span[]): RecordedTrace[] {
  const conversations = conversationsIn(spans);
  const [only] = conversations;
  if (conversations.length <= 1) return [{ ...(only !== undefined && { conversationId: only }), spans }];
  return Array.from(Map.groupBy(spans, createFinder(spans))).flatMap(([conversationId, part]) =>
    conversationId === undefined
      ? Array.from(Map.groupBy(part, ({ traceId }) => traceId).values(), (spans) => ({ spans }))
      : [{ conversationId, spans: part }],
  );
}

function conversationsIn(spans: readonly Span[]): string[] {
  return [...new Set(spans.map(conversationOfSpan).filter((id) => id !== undefined))];
}

/** Finds the conversation of a span: its own, that of the nearest span around it, the only one of its trace. */
function createFinder(spans: readonly Span[]) {
  const byId = new Map(spans.map((span) => [`${span.traceId} ${span.spanId}`, span]));
  const onlyOnes = new Map(
    Array.from(
      Map.groupBy(spans, ({ traceId }) => traceId),
      ([traceId, part]) => {
        const [first, ...others] = conversationsIn(part);
        return [traceId, others.length === 0 ? first : undefined];
      },
    ),
  );
  return (span: Span): string | undefined => {
    const seen = new Set<Span>();
    for (let at: Span | undefined = span; at !== undefined && !seen.has(at); ) {
      const own = conversationOfSpan(at);
      if (own !== undefined) return own;
      seen.add(at);
      at = byId.get(`${at.traceId} ${at.parentId}`);
    }
    return onlyOnes.get(span.traceId);
  };
}

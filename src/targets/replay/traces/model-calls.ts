import type { Message } from '../../../schema/message.ts';
import { type Consumed, consumedBy } from './consumed.ts';
import { messagesOf, nameOf } from './span-messages.ts';
import { type SpanNode, surrounding } from './span-tree.ts';

/** One call of a model. */
export interface ModelCall {
  readonly node: SpanNode;
  readonly startMs: number;
  readonly endMs: number;
  readonly input: readonly Message[];
  readonly output: readonly Message[];
  readonly consumed: Consumed | undefined;
  readonly isFailed: boolean;
  /** What of it could not be read. */
  readonly notes: readonly string[];
}

/**
 * The calls of models in the order in which they began. Where several libraries tell of the same call, span within span,
 * the outermost that knows something is believed.
 */
export function modelCallsOf(nodes: readonly SpanNode[]): ModelCall[] {
  const groups = new Map<SpanNode, SpanNode[]>();
  for (const node of nodes) {
    if (node.kind !== 'model') continue;
    const outermost = outermostModel(node);
    groups.set(outermost, [...(groups.get(outermost) ?? []), node]);
  }
  return Array.from(groups, ([outermost, group]) => toModelCall(outermost, group));
}

function outermostModel(node: SpanNode): SpanNode {
  let outermost = node;
  for (let at = surrounding(node); at?.kind === 'model'; at = surrounding(at)) outermost = at;
  return outermost;
}

/** A span as a call of a model, whatever it is. */
export function toModelCall(node: SpanNode, group: readonly SpanNode[] = [node]): ModelCall {
  const { span } = node;
  const all = group.map((each) => messagesOf(each.span));
  const input = all.find((each) => each.input.length > 0)?.input ?? [];
  const output = all.find((each) => each.output.length > 0)?.output ?? [];
  const notes = all.flatMap((each) => each.notes);
  const isFailed = span.error !== undefined;
  const failure = isFailed
    ? [`${nameOf(span)} ended with an error${span.error === '' ? '' : `: ${span.error}`}`]
    : [];
  const startMs = span.startMs ?? 0;
  return {
    node,
    startMs,
    endMs: span.endMs ?? startMs,
    input,
    output,
    consumed: group
      .map((each) => consumedBy(each.span.attributes))
      .find((consumed) => consumed !== undefined),
    isFailed,
    notes: [...notes, ...failure],
  };
}

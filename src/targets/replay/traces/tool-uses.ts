import type { ToolCall } from '../../../schema/message.ts';
import type { ToolUse } from './place-tool-uses.ts';
import { type SpanNode, surrounding } from './span-tree.ts';
import { toolUseOf } from './tool-use.ts';

/** The uses of tools in the order in which they began, each once where libraries tell of it span within span. */
export function toolUsesOf(nodes: readonly SpanNode[]): ToolUse[] {
  const outermost = new Map<SpanNode, ToolCall>();
  for (const node of nodes) {
    if (node.kind !== 'tool') continue;
    const call = toolUseOf(node.span);
    const around = surrounding(node);
    const known = around === undefined ? undefined : outermost.get(around);
    if (known?.name === call.name) Object.assign(known, { ...call, ...known });
    else outermost.set(node, call);
  }
  return Array.from(outermost, ([{ span, path }, call]) => ({
    call,
    timeMs: span.endMs ?? span.startMs ?? 0,
    agent: path.length > 1 ? path.at(-1) : undefined,
  }));
}

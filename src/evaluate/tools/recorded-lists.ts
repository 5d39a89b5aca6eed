import type { Cassette } from './cassette.ts';
import type { ListedTool } from '../../core/schema/tools/listed-server.ts';

/** Returns the tools that a server listed when it was recorded; undefined when it listed none. */
export function recordedTools(cassette: Cassette | undefined, server: string): ListedTool[] | undefined {
  const replies = cassette?.servers[server] ?? {};
  const known = replies['tools'] as unknown as readonly ListedTool[] | undefined;
  if (Array.isArray(known)) return [...known];
  const lists = Object.entries(replies).filter(([key]) => key.startsWith('tools/list'));
  return lists.length === 0 ? undefined : lists.flatMap(([, reply]) => toolsIn(reply));
}

/** Returns the tools in a reply to `tools/list`. */
export function toolsIn(reply: unknown): ListedTool[] {
  const { tools } = Object(reply) as { readonly tools?: unknown };
  const listed = (Array.isArray(tools) ? tools : []) as ({
    readonly name?: unknown;
    readonly annotations?: { readonly readOnlyHint?: unknown } | null;
  } | null)[];
  return listed.flatMap((tool) =>
    typeof tool?.name === 'string'
      ? [{ name: tool.name, isReadOnly: tool.annotations?.readOnlyHint === true }]
      : [],
  );
}

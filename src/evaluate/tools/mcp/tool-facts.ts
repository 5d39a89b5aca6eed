import type { Json } from '../../../core/schema/json.ts';
import type { ToolSession } from '../door.ts';
import { type HeaderParameter, readHeaderParameters } from './call-headers.ts';
import { asFields, type Fields } from './mcp-message.ts';

/** The facts about the tools of a server, from the lists that passed by and from recorded ones. */
export interface ToolFacts {
  /** Notes a list of tools, or a page of it. */
  learn(reply: Json): void;
  /** Returns whether the result of a tool has structured content. */
  isStructured(name: string, session: ToolSession): Promise<boolean>;
  /** Returns whether a tool says that it changes nothing; undefined when it is not known. */
  isReadOnly(name: string): boolean | undefined;
  /** Returns whether the server lists a tool; undefined when that is not known. */
  isListed(name: string, session: ToolSession): Promise<boolean | undefined>;
  /** Returns the arguments of a tool that its requests repeat in headers. */
  headerParameters(name: string, session: ToolSession): Promise<HeaderParameter[]>;
}

/** Creates facts that know nothing yet. */
export function createToolFacts(server: string): ToolFacts {
  const tools = new Map<string, Fields>();
  const learn = (reply: Json) => {
    const listed = asFields(reply)?.['tools'];
    for (const each of Array.isArray(listed) ? listed : []) {
      const tool = asFields(each);
      if (tool !== undefined) tools.set(String(tool['name']), tool);
    }
  };
  const learnRecorded = async (session: ToolSession) => {
    if (tools.size === 0) learn((await session.recordedReply(server, 'tools/list', {})) ?? null);
  };
  return {
    learn,
    isStructured: async (name, session) => {
      await learnRecorded(session);
      return tools.get(name)?.['outputSchema'] !== undefined;
    },
    isReadOnly: (name) => {
      const tool = tools.get(name);
      return tool && asFields(tool['annotations'])?.['readOnlyHint'] === true;
    },
    isListed: async (name, session) => {
      await learnRecorded(session);
      return tools.size === 0 ? undefined : tools.has(name);
    },
    headerParameters: async (name, session) => {
      await learnRecorded(session);
      return readHeaderParameters(tools.get(name)?.['inputSchema']);
    },
  };
}

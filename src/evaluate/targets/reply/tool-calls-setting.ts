import { z } from 'zod';
import { lazily } from '../../../core/lib/lazily.ts';
import { findToolCalls, readCallList, type ReplyCalls } from './find-tool-calls.ts';
import { mapCalls } from './map-calls.ts';
import { isFields } from './part.ts';
import { replyPath, replyPathOption } from './reply-path.ts';

/** The option of a target that says where its replies list the tools used, or that there are none. */
export const toolCallsOption = lazily(() =>
  z
    .union([
      replyPathOption,
      z.strictObject({
        path: replyPathOption,
        missing: z
          .literal('none')
          .optional()
          .describe('What a reply without anything at the path says: that no tool was used.'),
        name: replyPathOption.optional().describe('Path of the name of the tool in an item of the list.'),
        arguments: replyPathOption.optional().describe('Path of the arguments in an item.'),
        result: replyPathOption.optional().describe('Path of what the tool returned in an item.'),
        id: replyPathOption
          .optional()
          .describe('Path of the id in an item; items of one id are one call, whose result may come apart.'),
        error: replyPathOption.optional().describe('Path of the error of a failed call in an item.'),
      }),
    ])
    .optional()
    .describe(
      'Path of the list of tool calls in the reply; `[*]` steps into every item, as in `steps[*].tool`. A reply with nothing ' +
        'there is not measured for tools; `{ path: …, missing: none }` says that it means none. `{ path: steps, name: fn, ' +
        'arguments: args, result: out }` names the parts of a call where they have other names. By default the usual names ' +
        'and forms are looked for. `none` for a bot without tools: a reply that lists no calls then means that none was made.',
    ),
);

/** Where a target's replies list the tools used; undefined for the usual names. */
export type ToolCallsSetting = z.output<ReturnType<typeof toolCallsOption>>;

/** The tool calls of a reply, and the path at which there was nothing. */
export interface SetCalls extends ReplyCalls {
  readonly missing?: string;
}

/** Finds the tool calls of a reply as the target's option says. Throws `TargetFailure` for an invalid item. */
export function findSetCalls(reply: object, setting: ToolCallsSetting): SetCalls {
  if (setting === undefined || setting === 'none') {
    const found = isFields(reply) ? findToolCalls(reply) : nothing;
    return setting === 'none' ? { ...found, isStated: true } : found;
  }
  const { path, missing = 'unknown', ...names } = typeof setting === 'string' ? { path: setting } : setting;
  const { find, members } = replyPath(path);
  const value = find(reply);
  if (value === undefined) return { ...nothing, isStated: missing === 'none', missing: path };
  const list = mapCalls(value, names);
  return { toolCalls: readCallList(list, 'toolCalls').calls, isStated: true, keys: members };
}

const nothing: ReplyCalls = { toolCalls: [], keys: [], isStated: false };

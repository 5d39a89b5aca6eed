import { z } from 'zod';
import { lazily } from '../../../core/lib/lazily.ts';
import { pathSteps, stepInto } from '../../../core/lib/objects.ts';
import { findToolCalls, readCallList, type ReplyCalls } from './find-tool-calls.ts';
import { isFields } from './part.ts';

/** A path into a reply, as an option. */
export const replyPathOption: z.ZodType<string, string> = z
  .string()
  .min(1)
  .refine((path) => pathSteps(path).length > 0, 'must be a path such as `data.answer` or `steps[*].tool`');

/** The option of a target that says where its replies list the tools used, or that there are none. */
export const toolCallsOption = lazily(() =>
  z
    .union([
      replyPathOption,
      z.strictObject({
        path: replyPathOption,
        missing: z
          .literal('none')
          .describe('What a reply without anything at the path says: that no tool was used.'),
      }),
    ])
    .optional()
    .describe(
      'Path of the list of tool calls in the reply; `[*]` steps into every item, as in `steps[*].tool`. A reply with nothing ' +
        'there is not measured for tools; `{ path: …, missing: none }` says that it means none. By default the usual names ' +
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
  const { path, missing = 'unknown' } = typeof setting === 'string' ? { path: setting } : setting;
  const steps = pathSteps(path);
  const value = followPath(reply, steps);
  if (value === undefined) return { ...nothing, isStated: missing === 'none', missing: path };
  return { toolCalls: readCallList(value, 'toolCalls').calls, isStated: true, keys: steps.slice(0, 1) };
}

const nothing: ReplyCalls = { toolCalls: [], keys: [], isStated: false };

/**
 * Follows the steps of a path. `*` steps into every item of a list; the values found form one list, without the items
 * that lack them.
 */
export function followPath(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  if (step !== '*' || !Array.isArray(value)) return followPath(stepInto(value, step), rest);
  return value.flatMap((item) => followPath(item, rest) ?? []);
}

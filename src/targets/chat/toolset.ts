import { TouchstoneError } from '../../errors.ts';
import { didYouMean } from '../../lib/nearest-name.ts';
import type { RequestedToolCall } from '../../models/model.ts';
import type { ToolCall } from '../../schema/message.ts';
import { keptOutcome } from '../reply/kept-outcome.ts';
import type { AroundTool, HandledOutcome } from '../target.ts';
import type { LiveTool, ToolContext } from './tool.ts';

/** The tools of a chat, by name. */
export interface Toolset {
  readonly specs: readonly LiveTool['spec'][];
  /**
   * Uses the tools that a model asks for, all at the same time. Their errors are results that the model is told.
   * @param around - What every use of a tool passes, where the run puts faults into them.
   */
  run(
    requested: readonly RequestedToolCall[],
    context: ToolContext,
    around?: AroundTool,
  ): Promise<ToolCall[]>;
}

/** Puts tools together. Throws `target-invalid` where two have the same name. */
export function createToolset(tools: readonly LiveTool[]): Toolset {
  const byName = new Map<string, LiveTool>();
  for (const tool of tools) {
    const { name } = tool.spec;
    const other = byName.get(name);
    if (other !== undefined) {
      const message = `Both ${other.source} and ${tool.source} have a tool \`${name}\`.`;
      throw new TouchstoneError('target-invalid', message, {
        remedy: 'Rename one, or choose the tools of a server with `only`, or give it a `prefix`.',
      });
    }
    byName.set(name, tool);
  }
  const runOne = async (requested: RequestedToolCall, uses: Uses): Promise<ToolCall> => {
    const { id, name, arguments: given, unreadableArguments = '' } = requested;
    const outcome = await use(requested, byName, uses);
    return { id, name, arguments: given ?? unreadableArguments, ...keptOutcome(outcome) };
  };
  return {
    specs: tools.map(({ spec }) => spec),
    run: async (requested, context, around = async (_use, run) => await run()) =>
      await Promise.all(requested.map(async (call) => await runOne(call, { context, around }))),
  };
}

interface Uses {
  readonly context: ToolContext;
  readonly around: AroundTool;
}

async function use(
  { name, arguments: given, unreadableArguments }: RequestedToolCall,
  tools: ReadonlyMap<string, LiveTool>,
  { context, around }: Uses,
): Promise<HandledOutcome> {
  const tool = tools.get(name);
  if (tool === undefined) {
    const hint = didYouMean(name, tools.keys()) || ` There are ${[...tools.keys()].join(', ') || 'none'}.`;
    return { error: `There is no tool "${name}".${hint}` };
  }
  if (
    unreadableArguments !== undefined ||
    typeof given !== 'object' ||
    given === null ||
    Array.isArray(given)
  ) {
    return { error: 'The arguments are not a JSON object; the tool was not used.' };
  }
  return await around({ name, arguments: given }, async () => await tool.run(given, context));
}

import path from 'node:path';
import { z } from 'zod';
import { messageOf, TouchstoneError } from '../../errors.ts';
import { describeValue, listKeys } from '../../lib/describe-value.ts';
import { jsonSchema } from '../../schema/json.ts';
import { checkFile } from '../files/check-file.ts';
import { importFile } from '../module/import-function.ts';
import { runTargetCode } from '../module/refuse-exit.ts';
import { toJson } from '../reply/to-json.ts';
import { untilAborted } from '../until-aborted.ts';
import type { LiveTool } from './tool.ts';

const toolSchema = z.lazy(() =>
  z.looseObject({
    name: z.string().regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, `_` or `-`'),
    description: z.string().optional(),
    parameters: z.record(z.string(), jsonSchema).default({ type: 'object', properties: {} }),
    run: z
      .any()
      .refine((value) => typeof value === 'function', 'must be a function `(arguments, context) => result`'),
  }),
);
type Tool = z.output<typeof toolSchema>;

/**
 * Imports the tools of a TypeScript or JavaScript file: each export that is an object with `name` and `run`, or a list of
 * such. Throws `target-invalid` for a file without any, and for a tool that is not whole.
 */
export async function importTools(shown: string, folder: string): Promise<LiveTool[]> {
  const file = path.resolve(folder, shown);
  await checkFile({ file, shown, setting: 'tools' });
  const exports = await runTargetCode(() => importFile(file, shown));
  const found = Object.entries(exports).flatMap(([name, value]) => toolsIn(value, name, shown));
  const tools = [...new Map(found.map((tool) => [tool.run, tool])).values()];
  if (tools.length > 0) return tools.map((tool) => toLiveTool(tool, shown));
  const names = Object.keys(exports);
  const what = names.length === 0 ? 'It exports nothing.' : `It exports ${listKeys(names)}.`;
  throw new TouchstoneError('target-invalid', `${shown} exports no tool. ${what}`, {
    remedy: 'Export objects `{ name, description, parameters, run }`, one by one or as a list.',
  });
}

function toolsIn(value: unknown, name: string, shown: string): Tool[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => toolsIn(item, `${name}[${index}]`, shown));
  }
  if (typeof value !== 'object' || value === null || !('run' in value)) return [];
  const parsed = toolSchema.safeParse(value);
  if (parsed.success) return [{ ...parsed.data, run: value.run }];
  const [issue] = parsed.error.issues;
  const member = issue?.path.join('.') ?? '';
  const given = (value as Record<string, unknown>)[member];
  throw new TouchstoneError(
    'target-invalid',
    `The tool \`${name}\` of ${shown} has no usable \`${member}\`: ${describeValue(given)}; ${issue?.message}.`,
    { remedy: 'A tool is an object `{ name, description, parameters, run }`.' },
  );
}

function toLiveTool(tool: Tool, source: string): LiveTool {
  const { name, description, parameters } = tool;
  return {
    spec: { name, description, parameters },
    source,
    run: async (given, context) => {
      const work = new Promise((resolve) =>
        runTargetCode(() => resolve(tool.run(structuredClone(given), context))),
      );
      const outcome = work.then(
        (result) => ({ result: toJson(result) }),
        (thrown: unknown) => ({ error: messageOf(thrown).toWellFormed() }),
      );
      return await untilAborted(outcome, context.signal);
    },
  };
}

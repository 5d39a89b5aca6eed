import { z } from 'zod';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { valueAtPath } from '../../../core/lib/objects.ts';
import { plainToolName, type StripPrefix, stripPrefixOption } from '../../../core/schema/expected-calls.ts';
import { jsonSchema as anyJson, nonEmpty } from '../../../core/schema/json.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { defineMetric } from '../metric.ts';
import { type CheckValue, compileJsonSchema } from '../compile-json-schema.ts';
import { formatCall } from './format-call.ts';
import { type ActualCall, callsUnknown, readCalls } from './read-calls.ts';
import { notApplicable, passOrFail } from '../verdicts.ts';

const mostKept = 100;

/** A tool as OpenAI, Anthropic and MCP describe it: a name and the JSON Schema of its arguments. */
const descriptionSchema = z.lazy(() => z.union([z.looseObject({ function: namedSchema }), namedSchema]));

const namedSchema = z.lazy(() => {
  const schema = z.record(z.string(), anyJson).optional();
  return z.looseObject({
    name: nonEmpty(),
    parameters: schema,
    input_schema: schema,
    inputSchema: schema,
  });
});
type NamedTool = z.output<typeof namedSchema>;

/**
 * Checks that every tool call is valid: a known tool, with arguments that its own JSON Schema allows: 1, else 0 with
 * each fault. Tools are described in the forms of OpenAI, Anthropic and MCP, in the config or by each case. Not
 * applicable when no tool was called, where `is-valid-openai-tools-call` of promptfoo fails; not measured when the
 * recording does not contain the calls or a description cannot be used.
 */
export const toolSchema = defineMetric({
  name: 'tool-schema',
  family: 'tools',
  version: 2,
  summary:
    "All tool calls are of known tools, with arguments that are valid by the tool's JSON Schema: 1, else 0.",
  words:
    'valid arguments, function schema, invalid call, openai tools, function calling, agent, hallucinated tool',
  options: () =>
    z.strictObject({
      tools: z
        .array(descriptionSchema)
        .min(1)
        .optional()
        .describe(
          'The tools: `{ name, parameters }`, or as in a request to OpenAI, Anthropic or an MCP server.',
        ),
      from: nonEmpty()
        .default('metadata.tools')
        .describe('Path in the question to the list of its tools, used when `tools` is absent.'),
      ignoreTools: z.array(nonEmpty()).default([]).describe('Tools whose calls are ignored.'),
      stripPrefix: stripPrefixOption,
    }),
  create: ({ tools, from, ignoreTools, stripPrefix }) => {
    const fixed = tools === undefined ? undefined : compileTools(tools, stripPrefix);
    if (typeof fixed === 'string') {
      throw new TouchstoneError(
        'config-invalid',
        `The tools of the metric tool-schema cannot be used: ${fixed}.`,
      );
    }
    const compiled = new Map<string, Tools | string>();
    const toolsOf = (written: unknown): Tools | string => {
      const key = JSON.stringify(written);
      const found = compiled.get(key) ?? compileTools(written, stripPrefix);
      if (compiled.size < mostKept) compiled.set(key, found);
      return found;
    };
    return {
      score: (input): Verdict => {
        const written = fixed === undefined ? valueAtPath(input.case, from) : undefined;
        if (fixed === undefined && written === undefined)
          return notApplicable(`the question describes no tools at ${from}`);
        const known = fixed ?? toolsOf(written);
        if (typeof known === 'string') return { status: 'failed', code: 'schema-invalid', reason: known };
        if (input.trial.toolsUnknown === true) return callsUnknown;
        return describeFaults(readCalls(input, { ignoreTools, stripPrefix }), known);
      },
    };
  },
});

/** The check of the arguments of each tool, by its name. */
type Tools = ReadonlyMap<string, CheckValue>;

/** Compiles the schemas of tools; returns what is wrong when a description cannot be used. */
function compileTools(written: unknown, stripPrefix: StripPrefix): Tools | string {
  const read = z.array(descriptionSchema).safeParse(written);
  if (!read.success) return 'each tool needs a name, with a JSON Schema as `parameters` or `inputSchema`';
  const tools = new Map<string, CheckValue>();
  for (const item of read.data) {
    const { name, parameters, input_schema, inputSchema } = (
      'function' in item ? item.function : item
    ) as NamedTool;
    try {
      const check = compileJsonSchema(parameters ?? input_schema ?? inputSchema ?? {});
      // The name of a tool that is described in full is met before one without its prefix.
      tools.set(name, check);
      const plain = plainToolName(name, stripPrefix);
      if (!tools.has(plain)) tools.set(plain, check);
    } catch (error) {
      return `the schema of ${name}: ${messageOf(error)}`;
    }
  }
  return tools;
}

const mostShown = 100;

function describeFaults(calls: readonly ActualCall[], tools: Tools): Verdict {
  if (calls.length === 0) return notApplicable('no tool was called');
  const faults = calls.flatMap((call) => {
    const check = tools.get(call.fullName ?? call.name) ?? tools.get(call.name);
    const problem = check === undefined ? 'there is no such tool' : check(call.arguments);
    const place = `call ${call.number}, ${formatCall(call.name, call.arguments)}`;
    return problem === undefined ? [] : [`${place}: ${problem}`];
  });
  const passed = faults.length === 0;
  const shown = faults.slice(0, mostShown);
  return passOrFail(passed, {
    explanation: passed ? describeValid(calls.length) : shown.join('; '),
    evidence: { calls: calls.length, faults: shown },
  });
}

function describeValid(count: number): string {
  return count === 1 ? 'the call is valid' : `${count} calls are valid`;
}

import { z } from 'zod';
import { comparisonShape, strictShape } from '../../core/schema/expected-calls.ts';
import { toolModes } from '../../core/schema/tools/tool-modes.ts';
import { toolResultSchema } from '../../core/schema/tools/tool-result.ts';
import { mcpServerSchema } from '../targets/chat/mcp-options.ts';
import { nonEmpty } from '../../core/schema/json.ts';

/** The name of the door for functions, which has an address as servers have. */
export const functionsName = 'functions';

const port = z
  .int()
  .min(1)
  .max(65_535)
  .optional()
  .describe('A fixed port of 127.0.0.1; a free one by default. With it, one process runs at a time.');

const keyFromEnv = nonEmpty()
  .optional()
  .describe(
    'The environment variable with the key in the fixed address `/k/KEY/NAME`; a new key for each run by default.',
  );

/** The options of a server over HTTP. */
const httpShape = {
  openapi: nonEmpty()
    .optional()
    .describe('Its OpenAPI file (3.0, 3.1; JSON or YAML): calls are named by `operationId`.'),
  headersFromEnv: z
    .record(nonEmpty(), nonEmpty())
    .default({})
    .describe('Headers whose values are secret: the header and the environment variable with its value.'),
  paths: z
    .array(z.string().startsWith('/'))
    .default([])
    .describe('Patterns of paths, such as `/orders/{id}/items`, where the file does not have them.'),
  names: z
    .record(nonEmpty(), nonEmpty())
    .default({})
    .describe('Names of calls: `{ "GET /orders/{id}": get_order }`.'),
  ignore: z
    .array(nonEmpty())
    .default([])
    .describe('Requests that are carried and not recorded, such as `GET /health`.'),
  idempotency: z
    .boolean()
    .default(false)
    .describe('True to add an `Idempotency-Key`, so that an attempt which is asked again acts once.'),
  ca: nonEmpty().optional().describe('A file with a certificate authority to trust in addition.'),
  maxBodyBytes: z
    .int()
    .min(1)
    .default(10_000_000)
    .describe('The most bytes of a body that are recorded, mocked or changed.'),
};

/** The schema of one server of `tools.servers`. */
const toolServerSchema = z.lazy(() =>
  strictShape({
    mcp: mcpServerSchema.optional().describe('An MCP server: a program to start, or an address.'),
    http: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('In place of `mcp`: the address of an HTTP service.'),
    ...httpShape,
    port,
    keyFromEnv,
  }).refine(({ mcp, http }) => (mcp === undefined) !== (http === undefined), {
    message: 'one of `mcp` and `http`',
  }),
);
/** One server of tools, as the config has it. */
export type ToolServer = z.output<typeof toolServerSchema>;

const { ignore, text } = comparisonShape;

const names = z.array(nonEmpty()).min(1).optional();

/** The settings that answer or refuse calls in place of tools. */
const ruleShape = {
  mocks: z
    .array(toolResultSchema)
    .default([])
    .describe('What tools answer in place of their own results, in every question.'),
  deny: names.describe('Tools that no bot may use, such as `delete_*`: it reads that the test refuses them.'),
  allow: names.describe('The only tools that a bot may use.'),
  act: z
    .literal('read-only')
    .optional()
    .describe(
      '`read-only`: only tools that say they change nothing: `readOnlyHint` of MCP, GET and HEAD of HTTP.',
    ),
  denyMustNot: z.boolean().default(false).describe('True to refuse what `mustNot` of a question names.'),
  maxCalls: z.int().min(1).optional().describe('The most calls of one attempt; further ones are refused.'),
};

/** The schema of the `tools` setting: the proxy between the targets and their tools. */
export const toolsSettingSchema = z.lazy(() =>
  z
    .strictObject({
      servers: z
        .record(
          z.string().regex(/^[A-Za-z][\w-]*$/, 'must be a name of letters, digits, `_` and `-`'),
          toolServerSchema,
        )
        .default({})
        .describe('The servers behind the proxy; a target finds their addresses in `{{tools.NAME}}`.'),
      mode: z
        .enum(toolModes)
        .default('observe')
        .describe(
          '`observe` the tools, `record` their results in the cassette, `replay` them from it without any tool, or `record-missing`.',
        ),
      cassette: nonEmpty()
        .optional()
        .describe('The file of the recorded results, such as `cassettes/shop.jsonl`.'),
      missing: z
        .enum(['not-measured', 'error', 'real'])
        .default('not-measured')
        .describe(
          'What a replay does with a call that is not recorded: the attempt is not measured, the bot gets an error, or the real tool is used.',
        ),
      ...ruleShape,
      trial: z
        .union([z.enum(['address', 'baggage', 'one-at-a-time']), z.string().regex(/^header:[\w-]+$/)])
        .default('address')
        .describe(
          'How a call finds its attempt: by the `address` itself, by OpenTelemetry `baggage`, by a header that the bot passes on (`header:X-Request-Id`), or because questions are asked `one-at-a-time`.',
        ),
      quietMs: z
        .number()
        .min(0)
        .default(500)
        .describe('With `one-at-a-time`: milliseconds between an answer and the next question.'),
      match: z
        .record(nonEmpty(), strictShape({ ignore, text }))
        .default({})
        .describe(
          'What of the arguments does not count when a recorded call is looked for, by tool: `{ search: { ignore: [requestId], text: loose } }`.',
        ),
      redact: z
        .literal('personal')
        .optional()
        .describe('`personal`: personal data are removed from the cassette.'),
      listen: strictShape({
        host: nonEmpty().describe('The address to listen on.'),
        url: z.url().describe('How bots reach it: its host is the one in addresses.'),
      })
        .optional()
        .describe('For bots in containers; only 127.0.0.1 by default.'),
    })
    .refine(({ mode, cassette }) => mode === 'observe' || cassette !== undefined, {
      path: ['cassette'],
      message: 'must name a file, such as `cassettes/tools.jsonl`, in this mode',
    })
    .refine(({ deny, allow }) => deny === undefined || allow === undefined, {
      path: ['allow'],
      message: 'cannot be combined with `deny`',
    })
    .refine(({ servers }) => !Object.hasOwn(servers, functionsName), {
      path: ['servers', functionsName],
      message: 'is the name of the door for functions; choose another',
    }),
);
/** The checked `tools` setting. */
export type ToolsSetting = z.output<typeof toolsSettingSchema>;

import { z } from 'zod';
import { comparisonShape, strictShape } from '../expected-calls.ts';
import { jsonSchema, nonEmpty } from '../json.ts';
import { expectedValueSchema } from '../matcher.ts';

/** A prepared outcome of a tool: what a bot reads in place of the tool's own result when a call matches. */
export const toolResultSchema = z.lazy(() =>
  strictShape({
    name: nonEmpty().describe('The name of the tool; `*` stands for any text.'),
    server: nonEmpty().optional().describe('The server of the tool; any by default.'),
    arguments: expectedValueSchema
      .optional()
      .describe('The arguments of the calls that it answers: values and matchers; any by default.'),
    ...comparisonShape,
    result: jsonSchema.optional().describe('What the bot gets as the result.'),
    error: nonEmpty().optional().describe('In place of a result: the error that the bot gets.'),
    status: z.int().min(400).max(599).optional().describe('The HTTP status of the error, such as 409.'),
    delayMs: z
      .number()
      .min(0)
      .max(3_600_000)
      .optional()
      .describe('Milliseconds to wait first. Alone, it lets the call through to the tool, late.'),
    times: z
      .int()
      .min(1)
      .optional()
      .describe('How many calls it answers; by default the last that matches answers all further ones.'),
  })
    .refine(({ result, error }) => result === undefined || error === undefined, {
      message: 'a `result` or an `error`, not both',
    })
    .refine(({ result, error, delayMs }) => (result ?? error ?? delayMs) !== undefined || result === null, {
      message: 'a `result`, an `error` or a `delayMs`',
    })
    .refine(({ status, error }) => status === undefined || error !== undefined, {
      path: ['status'],
      message: 'a `status` only with an `error`',
    }),
);
/** A prepared outcome of a tool. */
export type ToolResult = z.infer<typeof toolResultSchema>;

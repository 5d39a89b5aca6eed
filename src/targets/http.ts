import { z } from 'zod';
import { pathSteps } from '../lib/value-at-path.ts';
import { jsonSchema } from '../schema/json.ts';
import { askServer, type Client, createClient } from './http/ask-server.ts';
import { checkReachable } from './http/check-reachable.ts';
import { limitOptions } from './http/limit-options.ts';
import { refuseLiteralSecrets } from './http/refuse-literal-secrets.ts';
import { planRequests } from './http/request-plan.ts';
import { identifyingOptions } from './identifying-options.ts';
import { defineTarget, type Target } from './target.ts';

const replyPath = z
  .string()
  .min(1)
  .refine((path) => pathSteps(path).length > 0, 'must be a path such as `data.answer` or `steps[*].tool`')
  .optional();

const placeholders =
  '{{input}}, {{messages}}, {{session.id}}, {{session.turn}}, {{caseId}}, {{key}}, {{attempt}}, {{seed}}, {{metadata.NAME}} ' +
  'and {{env.NAME}}';

const options = () =>
  z
    .strictObject({
      url: z
        .string()
        .min(1)
        .describe(`Where the bot listens. May hold ${placeholders}, as may headers and body.`),
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH']).default('POST').describe('The HTTP method.'),
      headers: z
        .record(z.string().min(1), z.string())
        .default({})
        .describe('Headers to send. A secret stands as `{{env.NAME}}`; one that is written out is refused.'),
      body: jsonSchema
        .optional()
        .describe(
          'What to send: JSON in which a placeholder that is all of a text keeps its type, or a text. ' +
            'By default `{"input": "{{input}}", "messages": "{{messages}}"}`.',
        ),
      answer: replyPath.describe(
        'Path of the answer in the reply; by default it is looked for under the usual names.',
      ),
      toolCalls: replyPath.describe(
        'Path of the list of tool calls in the reply; `[*]` goes into every item, as in `steps[*].tool`.',
      ),
      documents: replyPath.describe('Path of the list of retrieved documents in the reply.'),
      usage: replyPath.describe('Path of the token counts in the reply.'),
      version: z
        .string()
        .min(1)
        .optional()
        .describe('Anything that says which version of the bot this is; another one is another target.'),
      ...limitOptions(),
      allowErrorStatus: z
        .boolean()
        .default(false)
        .describe(
          'Read a reply with an error status as an answer too, in place of counting it as a failure.',
        ),
    })
    .refine(({ method, body }) => method !== 'GET' || body === undefined, {
      path: ['body'],
      message: 'a GET request has no body; put the question into `url`',
    });

/** A bot behind an HTTP address. */
export const http = defineTarget({
  name: 'http',
  version: 1,
  summary: 'A bot behind an HTTP address, JSON or text.',
  options,
  create: (checked, { environment }): Target => {
    refuseLiteralSecrets(checked);
    let client: Promise<Client> | undefined;
    const { maxConcurrency } = checked;
    const connect = () =>
      (client ??= createClient(planRequests({ body: undefined, ...checked }, environment), checked));
    return {
      maxConcurrency,
      identity: async () => identifyingOptions(checked, limitOptions()),
      open: async () => await checkReachable((await connect()).plan.origin),
      call: async (request, context) =>
        await askServer(await connect(), request, { context, options: checked }),
      close: async () => {
        const used = await client?.catch(() => undefined);
        if (used !== undefined && !used.agent.destroyed) await used.agent.destroy();
      },
    };
  },
});

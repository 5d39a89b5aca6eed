import { z } from 'zod';
import { TouchstoneError } from '../../core/errors.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { lazily } from '../../core/lib/lazily.ts';
import { createResource } from '../../core/lib/resource.ts';
import {
  findSecretInText,
  containsKnownKey,
  isLiteral,
  isSecretSetting,
} from '../../core/lib/literal-secrets.ts';
import { type Json, jsonSchema, nonEmpty } from '../../core/schema/json.ts';
import { attachmentKinds } from '../../core/schema/message.ts';
import { takesOption } from '../models/model.ts';
import { askServer } from './http/ask-server.ts';
import { createClient } from './http/client.ts';
import { logInOption, type LogInSettings } from './http/log-in-option.ts';
import { fillText, placeholdersIn } from './http/placeholders.ts';
import { pollOption } from './http/poll.ts';
import { environmentName, isFromLogIn } from './http/request-plan.ts';
import { sendsFiles } from './http/sent-attachments.ts';
import { streamOption } from './http/streams/stream-option.ts';
import { replyForms } from './reply/forms.ts';
import { replyPathOption } from './reply/reply-path.ts';
import { toolCallsOption } from './reply/tool-calls-setting.ts';
import { defineTarget, identifyingOptions, type Target } from './target.ts';

/** Limits on how fast a server is asked. They change no answer, so they are no part of the target's identity. */
const limitOptions = lazily(() => ({
  takes: takesOption(
    undefined,
    'all of these, where the request contains {{messages}} or {{attachments}}; else none',
  ),
  maxConcurrency: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('The number of questions that it can process at the same time; no more are sent.'),
  requestsPerMinute: z
    .number()
    .positive()
    .optional()
    .describe('The maximum number of requests a minute to this server, from all parts of the run together.'),
  tokensPerMinute: z
    .number()
    .positive()
    .optional()
    .describe(
      'The maximum number of tokens a minute to this server, estimated from the requests until `usage` is known.',
    ),
  maxWaitMs: z
    .number()
    .min(0)
    .optional()
    .describe(
      'The longest that one question waits after refusals (429, 503 with Retry-After), in milliseconds; 300,000 by default.',
    ),
}));

const replyPath = replyPathOption.optional();

const placeholders =
  '{{input}}, {{messages}}, {{attachments}}, {{attachments.base64}}, {{session.id}}, {{session.turn}}, {{conversation}}, {{caseId}}, {{key}}, {{attempt}}, {{seed}}, {{metadata}}, ' +
  '{{metadata.NAME}}, {{before.NAME}}, {{tools}}, {{tools.NAME}} and {{env.NAME}}';

const options = () =>
  z
    .strictObject({
      url: nonEmpty().describe(
        `The address of the bot. May contain ${placeholders}, as may headers and body.`,
      ),
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH']).default('POST').describe('The HTTP method.'),
      headers: z
        .record(nonEmpty(), z.string())
        .default({})
        .describe('Headers to send. Write a secret as `{{env.NAME}}`; one that is written out is refused.'),
      body: jsonSchema
        .optional()
        .describe(
          'The body: JSON in which a placeholder that is a whole text keeps its type, or a text. ' +
            'By default `{"input": "{{input}}", "messages": "{{messages}}"}`.',
        ),
      multipart: z
        .record(nonEmpty(), z.string())
        .optional()
        .describe(
          'A form in place of the body, as for an upload: `{ file: "{{attachments}}", q: "{{input}}" }`.',
        ),
      answer: replyPath.describe(
        'Path of the answer in the reply; by default it is looked for under the usual names. ' +
          'Several texts, as at `[*].text`, become one, a line each. A path that begins with `$` is of RFC 9535, with filters, as ' +
          "in `$.output[?@.type=='message'].content[*].text`; the texts of blocks are joined as they are.",
      ),
      toolCalls: toolCallsOption(),
      documents: replyPath.describe('Path of the list of retrieved documents in the reply.'),
      usage: replyPath.describe('Path of the token counts in the reply.'),
      finishReason: replyPath.describe(
        'Path of the reason why the bot stopped writing, such as `choices[0].finish_reason`.',
      ),
      reply: z
        .enum(replyForms.map(({ name }) => name))
        .optional()
        .describe(
          'The form of the reply, where it is taken for something else; by default forms are recognised, and their usual names.',
        ),
      unwrap: replyPath.describe(
        'Path of a text in the reply that is itself JSON, in which everything else is looked for: `body` behind a gateway.',
      ),
      stream: streamOption(),
      conversation: replyPath.describe(
        'Path of the id that the bot gives the conversation in its reply. Its next turns send it where the request has ' +
          '`{{conversation}}`, which is null before.',
      ),
      before: logInOption(),
      poll: pollOption(),
      cookies: z
        .boolean()
        .optional()
        .describe(
          'Whether the cookies that the bot sets are sent back within a conversation, each of which has its own; true by default.',
        ),
      version: nonEmpty()
        .optional()
        .describe('The version of the bot, in any form; another version is another target.'),
      ...limitOptions(),
      allowErrorStatus: z
        .boolean()
        .default(false)
        .describe(
          'Whether a reply with an error status is read as an answer, instead of counted as a failure.',
        ),
    })
    .refine(({ body, multipart }) => body === undefined || multipart === undefined, {
      path: ['multipart'],
      message: 'a request has either a `body` or a form, `multipart`',
    })
    .refine(({ method, body, multipart }) => method !== 'GET' || (body ?? multipart) === undefined, {
      path: ['body'],
      message: 'a GET request has no body; put the question into `url`',
    });

/** A bot behind an HTTP address. */
export const http = defineTarget({
  name: 'http',
  version: 1,
  summary: 'A bot behind an HTTP address, JSON or text.',
  words:
    'endpoint, API, URL, REST, web, server, webhook, POST, streaming, SSE, curl, FastAPI, LangServe, chatbot, flask, dify, rasa, n8n',
  example: { url: 'http://localhost:3000/chat', answer: 'reply' },
  options,
  create: (checked, needs): Target => {
    refuseLiteralSecrets(checked);
    if (checked.before !== undefined) refuseInLogIn(checked.before);
    const { maxConcurrency, takes = attachmentKinds } = checked;
    const client = createResource(
      async () => await createClient(checked, needs),
      async ({ agent }) => await agent.destroy(),
    );
    return {
      maxConcurrency,
      ...(sendsFiles(checked) ? { takes } : { takesHint }),
      identity: async () =>
        identifyingOptions(
          { ...checked, cookies: checked.cookies === false ? false : undefined },
          limitOptions(),
        ),
      open: async () => await (await client.get()).open(),
      call: async (request, context) =>
        await askServer(await client.get(), request, { context, options: checked }),
      close: client.close,
    };
  },
});

const takesHint =
  'Its requests have no place for files: write `{{attachments}}` or `{{messages}}` where they belong in `body`, or upload them by `multipart: { file: "{{attachments}}", q: "{{input}}" }`.';

/** The settings of a request that may contain a secret in plain text. */
interface WrittenRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Json;
}

/** Throws `target-invalid` for a secret in plain text in a log-in. */
function refuseInLogIn({ url = '', headers = {}, body, form = {}, basic }: LogInSettings): void {
  refuseLiteralSecrets({ url, headers, body }, 'before.');
  for (const [name, value] of Object.entries(form)) refuse(name, value, `before.form.${name}`);
  if (basic !== undefined) refuse('password', basic.password, 'before.basic.password');
}

/** Throws `target-invalid` for a secret in plain text: a config is shared, and stored with every run. */
function refuseLiteralSecrets({ url, headers, body }: WrittenRequest, prefix = ''): void {
  for (const [name, value] of Object.entries(headers)) refuse(name, value, `${prefix}headers.${name}`);
  const { userinfo, query } =
    /^[a-z]+:\/\/((?<userinfo>[^/?#]*)@)?[^?#]*(\?(?<query>[^#]*))?/i.exec(url)?.groups ?? {};
  if (userinfo !== undefined) throw literalSecret(`${prefix}url`);
  for (const [name, value] of new URLSearchParams(query ?? '')) {
    refuse(name, value, `${prefix}url (${name})`);
    if (isSignature(name, value)) throw literalSecret(`${prefix}url (${name})`);
  }
  refuseInBody(body, `${prefix}body`);
}

/**
 * Returns whether a query parameter grants access: clouds use `?code=` and `?sig=`. Shorter values are a language or a
 * country.
 */
function isSignature(name: string, value: string): boolean {
  return /^(code|sig|signature)$/i.test(name) && isLiteral(value) && value.length >= 6;
}

function refuseInBody(value: Json | undefined, setting: string): void {
  if (typeof value === 'string') {
    const found = findSecretInText(value);
    if (found !== undefined) throw literalSecret(`${setting} (${found})`);
  }
  if (!isContainer(value)) return;
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === 'string') refuse(key, member, `${setting}.${key}`);
    else refuseInBody(member, `${setting}.${key}`);
  }
}

/** Throws for a secret in plain text. A secret must come from an environment variable, or consist of placeholders alone. */
function refuse(name: string, value: string, setting: string): void {
  if (placeholdersIn(value).some((name) => environmentName(name) !== undefined || isFromLogIn(name))) return;
  if (containsKnownKey(value) || (isSecretSetting(name) && isLiteral(value))) throw literalSecret(setting);
  if (!secretNames.test(name)) return;
  if (fillText(value, () => '').trim() !== '') throw literalSecret(setting);
}

function literalSecret(setting: string): TouchstoneError {
  return new TouchstoneError('target-invalid', `\`${setting}\` looks like a secret that is written out.`, {
    remedy: 'Keep it in an environment variable and write `{{env.NAME}}`, as in `Bearer {{env.BOT_TOKEN}}`.',
  });
}

/** Names of headers and fields that contain secrets. In a request, a bare `key` is an access key. */
const secretNames =
  /authorization|api[-_]?key|subscription-key|secret|password|^cookie$|(^|[-_.])(token|key)$/i;

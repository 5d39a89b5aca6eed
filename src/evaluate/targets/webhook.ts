import { z } from 'zod';
import { pathSteps, valueAtPath } from '../../core/lib/objects.ts';
import { createResource } from '../../core/lib/resource.ts';
import { jsonSchema, nonEmpty } from '../../core/schema/json.ts';
import { http } from './http.ts';
import { openAnswerListener } from './webhook/answer-listener.ts';
import { defineTarget, identifyingOptions, type Target, TargetFailure } from './target.ts';

const path = nonEmpty().refine((text) => pathSteps(text).length > 0, 'must be a path such as `event.text`');

/** Settings that change no answer. */
const timing = {
  quietMs: z
    .number()
    .int()
    .min(0)
    .default(500)
    .describe('The milliseconds without another message after which the messages so far are the answer.'),
};

const options = () =>
  z.strictObject({
    url: nonEmpty().describe('The address that the question is posted to, as with `http`.'),
    headers: z.record(nonEmpty(), z.string()).default({}).describe('Headers, as with `http`.'),
    body: jsonSchema
      .optional()
      .describe(
        'The body, as with `http`. It must contain `{{session.id}}`, by which answers are recognized.',
      ),
    listen: z
      .strictObject({
        port: z
          .int()
          .min(1)
          .max(65_535)
          .describe('The port of 127.0.0.1 on which the bot reaches Touchstone.'),
        path: z
          .string()
          .startsWith('/')
          .default('/')
          .describe('The path that the bot posts its messages to.'),
      })
      .describe('Where the bot posts its messages.'),
    conversation: path.default('channel').describe('The path of the session id in a message of the bot.'),
    answer: path.default('text').describe('The path of the text in a message of the bot.'),
    toolCalls: z
      .literal('none')
      .optional()
      .describe('`none` for a bot without tools; else it is not known from outside which were used.'),
    acknowledge: jsonSchema
      .default({ ok: true })
      .describe('The reply to a message of the bot; the one of Slack by default.'),
    ...timing,
    version: nonEmpty().optional().describe('The version of the bot; another version is another target.'),
  });

/**
 * A bot that gets a message and answers later, by a message of its own: as bots on Slack do. The question is posted to the bot;
 * what the bot posts to the given port until it is quiet is the answer.
 */
export const webhook = defineTarget({
  name: 'webhook',
  version: 1,
  summary: 'A bot that is sent a message and posts its answer to another address, as on Slack.',
  words: 'Slack, Teams, WhatsApp, Telegram, callback, asynchronous, bot framework, push, discord',
  example: { url: 'http://localhost:3000/events', listen: { port: 8080 } },
  options,
  create: (
    { url, headers, body, listen, quietMs, conversation, answer, acknowledge, version, toolCalls },
    needs,
  ): Target => {
    const asked = {
      url,
      headers,
      ...(body === undefined ? { body: { text: '{{input}}', channel: '{{session.id}}' } } : { body }),
      allowErrorStatus: false,
      method: 'POST' as const,
    };
    const { definition } = http;
    const sender = definition.create(definition.options.parse(asked), needs);
    const read = (message: unknown) => ({
      id: valueAtPath(message, conversation),
      text: valueAtPath(message, answer),
    });
    const listener = createResource(
      async () => await openAnswerListener({ ...listen, acknowledge, quietMs, read }),
      async (opened) => await opened.close(),
    );
    return {
      ...(sender.takes && { takes: sender.takes }),
      hasFixedPort: true,
      identity: async () =>
        await Promise.resolve(
          identifyingOptions({ ...asked, conversation, answer, version }, { allowErrorStatus: true }),
        ),
      open: async () => {
        await listener.get();
        await sender.open?.();
      },
      call: async (request, context) => {
        const { expect } = await listener.get();
        const answered = await expect(request.session.id, context.signal);
        try {
          await deliver(sender, request, context);
          const { text, totalMs } = await answered.answer;
          const unknown = toolCalls === 'none' ? {} : { toolsUnknown: true as const };
          return { answer: text, toolCalls: [], ...unknown, latency: { totalMs } };
        } finally {
          answered.end();
        }
      },
      close: async () => {
        await sender.close?.();
        await listener.close();
      },
    };
  },
});

/** Failures of reading a reply: the bot has accepted the message, and its reply is no answer. */
const acceptedCodes: ReadonlySet<string> = new Set(['invalid-reply', 'invalid-answer']);

async function deliver(sender: Target, ...call: Parameters<Target['call']>): Promise<void> {
  try {
    await sender.call(...call);
  } catch (error) {
    if (!(error instanceof TargetFailure && acceptedCodes.has(error.code))) throw error;
  }
}

import { z } from 'zod';
import { nonEmpty } from '../json.ts';

/** A least or greatest share in per cent that leaves room on both sides, since a bet is on either. */
const shareSchema = z.number().min(1).max(99.9).describe('In per cent, from 1 to 99.9.');

/** A rule of a watch: the mean of which share is to stay high, or low, enough on every day. */
const watchRuleSchema = () =>
  z.discriminatedUnion('type', [
    z
      .strictObject({
        type: z.literal('metric'),
        metric: nonEmpty().describe('The name of a metric of the config.'),
        atLeast: shareSchema.optional(),
        atMost: shareSchema.optional(),
      })
      .refine(({ atLeast, atMost }) => (atLeast === undefined) !== (atMost === undefined), {
        error: 'set either `atLeast` or `atMost`',
      }),
    z.strictObject({
      type: z.literal('criterion'),
      criterion: nonEmpty().describe('The name of a criterion of the scorecard.'),
      atLeast: shareSchema,
    }),
    z.strictObject({ type: z.literal('score'), atLeast: shareSchema }),
    z.strictObject({ type: z.literal('pass-rate'), atLeast: shareSchema }),
  ]);

/** An environment variable in place of a value. */
export const variablePattern = /^\$\{([A-Za-z_]\w*)\}$/;

const webhookSchema = () =>
  z.strictObject({
    url: nonEmpty().describe(
      'The address, or `${NAME}` for an environment variable that holds it; `https:`, or `http:` on this machine.',
    ),
    secret: z
      .string()
      .regex(
        variablePattern,
        'must name an environment variable, as in `${HOOK_SECRET}`: a secret in a file is none',
      )
      .optional()
      .describe('`${NAME}` of the environment variable with the secret of Standard Webhooks, `whsec_…`.'),
    on: z
      .array(z.enum(['fail', 'recovered', 'not-measured']))
      .min(1)
      .default(['fail', 'recovered', 'not-measured'])
      .describe('The changes of which a message is sent.'),
    format: z
      .enum(['standard', 'slack'])
      .default('standard')
      .describe('`slack` sends the text alone, without the fields for programs.'),
    texts: z
      .boolean()
      .default(false)
      .describe('True to send questions and answers of up to three failed answers too.'),
    link: z.url().optional().describe('The address of your dashboard, for the link to the run.'),
  });

/** The schema of the `watch` setting: what is watched in the traces of production, by `touchstone score --traces`. */
export const watchSettingSchema = z.lazy(() =>
  z.strictObject({
    name: z
      .string()
      .regex(
        /^[a-zA-Z0-9](?:[\w.-]{0,38}[a-zA-Z0-9])?$/,
        'must be up to 40 letters, digits, `-`, `_` and `.`',
      )
      .describe('The name of the watch, which also names its runs.'),
    unit: z
      .enum(['conversation', 'trace'])
      .default('conversation')
      .describe('What is drawn: a conversation as a whole, or a single trace.'),
    rules: z
      .record(nonEmpty(), watchRuleSchema())
      .refine((rules) => Object.keys(rules).length > 0, { error: 'expected at least one rule' })
      .describe('What is to hold on every day: `{ helps: { type: metric, metric: helps, atLeast: 90 } }`.'),
    error: z
      .number()
      .gt(0)
      .lt(0.5)
      .default(0.05)
      .describe('The chance that a watch ever gives a false alarm, all rules and days together.'),
    webhook: webhookSchema().optional().describe('Where a message goes when the state of the watch changes.'),
  }),
);
export type WatchSetting = z.output<typeof watchSettingSchema>;
export type WatchRule = WatchSetting['rules'][string];
export type WebhookSetting = NonNullable<WatchSetting['webhook']>;

import { z } from 'zod';
import { lazily } from '../../../core/lib/lazily.ts';
import { proxySecrets } from '../../../core/lib/network/proxy.ts';
import { createSecretRedactor, isSecretName, type SecretRedactor } from '../../../core/lib/redact-secrets.ts';
import { jsonSchema, nonEmpty, positiveInt, share } from '../../../core/schema/json.ts';
import { batchOption } from './batch-option.ts';
import type { ChatRequest } from '../model.ts';
import { priceSchema } from '../pricing/price-schema.ts';

/** The parameters of a request that can be omitted. */
const omittable = [
  'temperature',
  'topP',
  'seed',
  'stop',
  'maxTokens',
  'toolChoice',
  'responseSchema',
  'stream',
] as const;

/** The sampling options of a model. The settings of a request go before them. */
export const samplingOptions = lazily(() => ({
  model: nonEmpty().describe("The model's name, as the provider calls it."),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .optional()
    .describe("Randomness of its words; the provider's default if absent."),
  topP: share().optional().describe('Share of the most likely words that it chooses from.'),
  seed: z
    .int()
    .optional()
    .describe('Asks for the same answer to the same question, where the provider supports that.'),
  stop: z.array(nonEmpty()).optional().describe('Texts at which it stops.'),
  maxTokens: positiveInt().optional().describe('Most tokens that it may write, reasoning included.'),
  stream: z
    .boolean()
    .optional()
    .describe('Asks for the reply in pieces, which gives the time to the first token.'),
  omit: z
    .array(z.enum(omittable))
    .optional()
    .describe(
      'Parameters that the provider refuses; they are never sent, even when a target or a judge sets them: `omit: [seed, temperature]`.',
    ),
  extra: z
    .record(z.string(), jsonSchema)
    .default({})
    .describe("The provider's own parameters, added to every request as they are."),
}));

/** The time for which a key that a command printed is used, in milliseconds: the keys of clouds live for an hour. */
const keyForMs = 3_000_000;

/** Returns the option of a command that prints the key, with the time for which it is used. */
function keyCommandOption() {
  const command = z.union([nonEmpty(), z.array(z.string()).min(1)]);
  const forMs = z.number().positive().max(2_147_483_647).default(keyForMs);
  return z
    .union([
      command.transform((given) => ({ command: given, forMs: keyForMs })),
      z.strictObject({ command, forMs }),
    ])
    .optional()
    .describe(
      'A command that prints the key, in place of a variable with it: `gcloud auth print-access-token`. It is run for the first ' +
        'question, after 50 minutes (`{ command: …, forMs: 3000000 }`) and when the server no longer takes the key.',
    );
}

/** The options of the connection, the account and the price. They change no answer. */
export const connectionOptions = lazily(() => ({
  headers: z.record(nonEmpty(), z.string()).default({}).describe('Headers to send. No secrets.'),
  headersFromEnv: z
    .record(nonEmpty(), nonEmpty())
    .default({})
    .describe('Headers whose values are secret: the header and the environment variable with its value.'),
  keyCommand: keyCommandOption(),
  timeLimitMs: z
    .number()
    .positive()
    .max(2_147_483_647)
    .default(300_000)
    .describe('Most milliseconds for one request.'),
  maxRetries: z
    .int()
    .min(0)
    .max(20)
    .default(4)
    .describe(
      'Most repeats after a server error or a lost connection; 0 repeats nothing, not even a refusal.',
    ),
  maxWaitMs: z
    .number()
    .min(0)
    .default(300_000)
    .describe('Most milliseconds that one call waits after refusals (rate limit, overload).'),
  maxConcurrency: z.int().min(1).max(1000).optional().describe('Most calls in flight on this account.'),
  requestsPerMinute: z.number().positive().optional().describe('Most requests a minute on this account.'),
  tokensPerMinute: z.number().positive().optional().describe('Most tokens a minute on this account.'),
  prices: priceSchema,
  batch: batchOption(),
}));

/** The options that all HTTP models share. */
export const commonOptions = lazily(() => ({ ...samplingOptions(), ...connectionOptions() }));

export type CommonOptions = z.output<z.ZodObject<ReturnType<typeof commonOptions>>>;

/** Returns a request with its missing settings filled in from the options, without the ones to omit. */
export function withDefaults(
  request: ChatRequest,
  { temperature, topP, seed, stop, maxTokens, stream, omit = [] }: Partial<CommonOptions>,
): ChatRequest {
  const present = Object.entries(request).filter(([, value]) => value !== undefined);
  const all = { temperature, topP, seed, stop, maxTokens, stream, ...Object.fromEntries(present) };
  const sent = Object.entries(all).filter(([name]) => !omit.some((omitted) => omitted === name));
  return Object.fromEntries(sent) as unknown as ChatRequest;
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Creates a redactor for the named variables, and for all others that are named like secrets and have long values: a
 * prompt may quote a secret that does not belong to the model. Short values are left alone, since redacting them would
 * garble unrelated texts.
 */
export function createEnvironmentRedactor(
  environment: Environment,
  used: readonly (string | undefined)[] = [],
): SecretRedactor {
  const isSecret = (name: string, value: string) =>
    used.includes(name) ? value.length >= 4 : value.length >= 16 && isSecretName(name);
  return createSecretRedactor([
    ...Object.entries(environment).flatMap(([name, value]): [string, string][] =>
      value !== undefined && isSecret(name, value) ? [[name, value]] : [],
    ),
    ...proxySecrets(environment),
  ]);
}

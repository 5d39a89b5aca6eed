import { z } from 'zod';
import { amount, jsonSchema, wholeNumber } from '../json.ts';
import { messageSchema } from '../message.ts';

/** The steps of a batch, each of which is stored before the next begins. */
const batchStates = [
  /** Requests are being chosen for it. */
  'choosing',
  /** Its requests are chosen, and nothing has been sent. */
  'prepared',
  /** Its file is at the provider. */
  'uploaded',
  /** It is being submitted: whether the provider has it is not known. */
  'submitting',
  /** The provider works on it. */
  'submitted',
  /** Its results are stored. */
  'gathered',
] as const;

/** A batch of requests to a model. */
export const batchSchema = z.lazy(() =>
  z.object({
    /** Its random name, by which it is found again at a provider that keeps names. */
    id: z.string(),
    run: z.string(),
    state: z.enum(batchStates),
    /** The fingerprint of the model, and its name. */
    model: z.string(),
    name: z.string(),
    /** The host of the provider. */
    account: z.string(),
    requests: wholeNumber(),
    /** The form in which its requests are asked, where there are several. */
    form: jsonSchema.optional(),
    /** The likely cost in US dollars, where the price is known. */
    cost: amount().optional(),
    /** The name that the provider gave the uploaded file. */
    file: z.string().optional(),
    /** The names that the provider gave it: several where it is not known which of them is this one. */
    jobs: z.array(z.string()),
    /** When its submission began and ended, and when it ended; ISO 8601. */
    submittingAt: z.string().optional(),
    submittedAt: z.string().optional(),
    endedAt: z.string().optional(),
    /** The time before which the provider ends it, where it says so. */
    endsBefore: z.string().optional(),
    /** The counts of the provider. */
    answered: wholeNumber(),
    failed: wholeNumber(),
    isCancelled: z.literal(true).optional(),
  }),
);
export type Batch = z.infer<typeof batchSchema>;

/** The result of a request: what the provider replied, without secrets, or why there is no reply. */
const batchResultSchema = z.lazy(() =>
  z.union([
    z.object({ reply: jsonSchema }),
    z.object({ error: z.object({ code: z.string(), message: z.string() }) }),
  ]),
);

/** The prompt of a request, with what is needed to read its reply. */
const batchPromptSchema = z.lazy(() =>
  z.object({
    /** The trial that it is a call of; absent for a prompt of a judge. */
    call: z.object({ target: z.string(), key: z.string(), ordinal: wholeNumber() }).optional(),
    /** The names of the questions in the prompt, by their keys; the name of a single call is empty. */
    names: z.record(z.string(), z.string()),
    /** The id that the reply must repeat; empty for a call. */
    replyId: z.string(),
    request: z.object({
      messages: z.array(messageSchema),
      temperature: z.number().optional(),
      maxTokens: z.int().optional(),
      seed: z.int().optional(),
      responseSchema: z.object({ name: z.string(), schema: z.record(z.string(), jsonSchema) }).optional(),
    }),
  }),
);
export type BatchPrompt = z.infer<typeof batchPromptSchema>;

/**
 * A question that is answered in a batch. Where several questions share a prompt, the first one has the request, and the others
 * name it.
 */
export const batchRequestSchema = z.lazy(() =>
  z.object({
    /** The name of the request at the provider, a hash of the key. */
    id: z.string(),
    /** The key of the question. */
    key: z.string(),
    run: z.string(),
    /** The fingerprint of the model. */
    model: z.string(),
    /** The request that has the prompt, if it is another one. */
    lead: z.string().nullable(),
    /**
     * `waiting`: in no batch yet. `sent`: in the batch that is named. `answered`: it has its result. `ask`: no batch has answered
     * it, and it is to be asked by itself.
     */
    state: z.enum(['waiting', 'sent', 'answered', 'ask']),
    batch: z.string().nullable(),
    /** The number of batches that it was in. */
    tries: wholeNumber(),
    prompt: batchPromptSchema.optional(),
    result: batchResultSchema.optional(),
  }),
);
export type BatchRequest = z.infer<typeof batchRequestSchema>;

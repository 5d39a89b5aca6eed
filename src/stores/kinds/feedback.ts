import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { feedbackMatchSchema, feedbackSchema } from '../../core/schema/feedback/feedback.ts';
import type { DocumentStore } from '../documents/document-store.ts';
import { defineKind } from '../documents/kind.ts';

const keptFeedbackSchema = z.lazy(() =>
  z.object({
    feedback: feedbackSchema,
    /** The answer that it belongs to; null while no such answer is known. */
    match: feedbackMatchSchema.nullable(),
    /** The id of the stored trace that it is about; absent while no such trace is known. */
    trace: z.string().optional(),
    /** Until when its answer may still come into the store; absent once that is decided. ISO 8601. */
    waitsUntil: z.string().optional(),
  }),
);

/** A feedback with the answer that it belongs to, and with its trace. */
export type KeptFeedback = z.infer<typeof keptFeedbackSchema>;

/** The states of feedback: with an answer or a trace, still without one, or without one because none came in time. */
export type FeedbackState = 'matched' | 'waiting' | 'unmatched';

/** Returns the state of a feedback. */
export function stateOfFeedback({ match, trace, waitsUntil }: Omit<KeptFeedback, 'feedback'>): FeedbackState {
  if (match !== null || trace !== undefined) return 'matched';
  return waitsUntil === undefined ? 'unmatched' : 'waiting';
}

/** The reactions of users to answers: they never change, only what they belong to may be found later. */
export const feedbackKind = defineKind({
  name: 'feedback',
  table: 'feedback',
  about: 'Reactions of users, each with the answer of a run or the trace that it is about.',
  schema: () => keptFeedbackSchema,
  columns: {
    id: ['text', ({ feedback }) => feedback.id],
    given_at: ['text', ({ feedback }) => feedback.at],
    received_at: ['text', ({ feedback }) => feedback.receivedAt],
    source: ['text', ({ feedback }) => feedback.source],
    signal: ['text', ({ feedback }) => feedback.signal],
    state: ['text', stateOfFeedback],
    run_id: ['text?', ({ match }) => match?.run ?? null],
    ordinal: ['integer?', ({ match }) => match?.ordinal ?? null],
    trace: ['text?', ({ trace }) => trace ?? null],
    // 1 while its answer may still come into the store.
    waiting: ['integer', ({ waitsUntil }) => Number(waitsUntil !== undefined)],
  },
  order: ['given_at', 'id'],
  indexes: [
    { on: ['given_at', 'id'] },
    { on: ['state'] },
    { on: ['waiting', 'given_at', 'id'] },
    { on: ['trace'] },
  ],
  describe: ({ id, given_at: at }) => `feedback ${id} of ${at}`,
});

const userKeySchema = z.object({
  id: z.string(),
  /** 32 random bytes in hexadecimal digits. */
  secret: z.string(),
});

/** The secret with which users are hashed. */
export type UserKey = z.infer<typeof userKeySchema>;

/** The key with which users are hashed; at most one. */
export const userKeyKind = defineKind({
  name: 'user-key',
  table: 'user_keys',
  about: 'The key with which users are hashed; at most one.',
  schema: () => userKeySchema,
  columns: { id: ['text', ({ id }) => id] },
});

/** Returns the key for the hashes of users, which is made when there is none. */
export async function readUserKey(documents: DocumentStore): Promise<UserKey> {
  const [known] = await Array.fromAsync(documents.list(userKeyKind));
  if (known !== undefined) return known;
  return await documents.change([userKeyKind], async (change) => {
    // Another process may have made one since.
    const [head] = await change.heads(userKeyKind, ['id']);
    const kept = head && (await change.get(userKeyKind, [head.id]));
    if (kept !== undefined) return kept;
    const fresh = { id: randomBytes(6).toString('hex'), secret: randomBytes(32).toString('hex') };
    await change.put(userKeyKind, [fresh]);
    return fresh;
  });
}

/** Removes the key: stored hashes can no longer be traced to a user, and later ones differ. */
export async function eraseUserKey(documents: DocumentStore): Promise<void> {
  await documents.change([userKeyKind], async (change) => await change.remove(userKeyKind, {}));
}

import { formatPlace, type Place } from '../errors.ts';
import { keyedHash } from '../lib/keyed-hash.ts';
import { redactPersonal } from '../lib/redact-personal.ts';
import type { SecretRedactor } from '../lib/redact-secrets.ts';
import { describeExpectation } from '../lib/schema-issues.ts';
import { type Feedback, type GivenFeedback, givenFeedbackSchema } from '../schema/feedback/feedback.ts';
import type { FeedbackStore, UserKey } from '../stores/feedback/feedback-store.ts';

/** A feedback that was not stored. */
export interface RefusedFeedback {
  /** The id of the feedback; null where it has none. */
  readonly id: string | null;
  /** The place in a file, `file:line`; absent for feedback from elsewhere. */
  readonly place?: string;
  /** The reason, as a phrase. */
  readonly reason: string;
}

/** The fate of feedback that was sent. */
export interface FeedbackReceipt {
  readonly added: number;
  /** The number of records that were stored before with the same content. */
  readonly known: number;
  /** The number of added records whose answer is in the store; the others wait for it for seven days. */
  readonly matched: number;
  readonly refused: readonly RefusedFeedback[];
}

/** A value that may be a feedback. */
export interface FeedbackRow {
  readonly value: unknown;
  readonly place?: Place;
}

/** The surroundings of received feedback. */
export interface Reception {
  readonly feedback: FeedbackStore;
  readonly secrets: Pick<SecretRedactor, 'text'>;
  /** ISO 8601. */
  readonly now: string;
}

/**
 * Stores feedback as it was sent: each record for itself, checked, with the user hashed and texts redacted. A record that cannot
 * be used is refused with a reason, and the others are stored.
 */
export async function receiveFeedback(
  rows: readonly FeedbackRow[],
  { feedback, secrets, now }: Reception,
): Promise<FeedbackReceipt> {
  const key = await feedback.readUserKey();
  const refused: RefusedFeedback[] = [];
  const places = new Map<string, Place | undefined>();
  const records = rows.flatMap(({ value, place }) => {
    const checked = checkFeedback(value);
    if ('reason' in checked) {
      refused.push({ id: idOf(value), ...placeOf(place), reason: checked.reason });
      return [];
    }
    places.set(checked.given.id, place);
    return [prepareFeedback(checked.given, { key, secrets, receivedAt: now })];
  });
  const { conflicts, ...counts } = await feedback.add(records);
  for (const id of conflicts)
    refused.push({ id, ...placeOf(places.get(id)), reason: 'this id is stored with another content' });
  return { ...counts, refused };
}

/** Stores the feedback of many rows, some at a time. */
export async function receiveRows(
  rows: AsyncIterable<FeedbackRow>,
  reception: Reception,
): Promise<FeedbackReceipt> {
  let sum: FeedbackReceipt = { added: 0, known: 0, matched: 0, refused: [] };
  let batch: FeedbackRow[] = [];
  const store = async () => {
    const one = await receiveFeedback(batch, reception);
    batch = [];
    sum = {
      added: sum.added + one.added,
      known: sum.known + one.known,
      matched: sum.matched + one.matched,
      refused: [...sum.refused, ...one.refused],
    };
  };
  for await (const row of rows) if (batch.push(row) === rowsAtOnce) await store();
  await store();
  return sum;
}

/** The number of rows of a file that are stored in one transaction. */
const rowsAtOnce = 1000;

function checkFeedback(value: unknown): { given: GivenFeedback } | { reason: string } {
  const { success, data, error } = givenFeedbackSchema.safeParse(value);
  if (success) return { given: data };
  const faults = error.issues.map((issue) => {
    const expectation = describeExpectation(issue);
    const what = expectation === undefined ? issue.message : `expected ${expectation}`;
    return issue.path.length === 0 ? what : `${issue.path.join('.')}: ${what}`;
  });
  return { reason: faults.join('; ') };
}

function idOf(value: unknown): string | null {
  const id = (value as { readonly id?: unknown } | null | undefined)?.id;
  return typeof id === 'string' ? id.slice(0, 128) : null;
}

function placeOf(place: Place | undefined): { place?: string } {
  return place === undefined
    ? {}
    : { place: formatPlace({ file: place.file, ...(place.line !== undefined && { line: place.line }) }) };
}

/** The means by which feedback is made fit to be stored. */
interface Border {
  readonly key: UserKey;
  /** Removes the secrets of the environment. */
  readonly secrets: Pick<SecretRedactor, 'text'>;
  /** The time of receipt; ISO 8601. */
  readonly receivedAt: string;
}

/**
 * Makes the record of a feedback: the user becomes a keyed hash, and texts lose secrets and personal data that can be known by
 * their form.
 */
function prepareFeedback(
  { user, text, name, source, at, ...rest }: GivenFeedback,
  { key, secrets, receivedAt }: Border,
): Feedback {
  const redact = (given: string) => redactPersonal(secrets.text(given));
  return {
    ...rest,
    // One spelling of times, since they are sorted as texts.
    at: new Date(at).toISOString(),
    source: redact(source),
    ...(name !== undefined && { name: redact(name) }),
    ...(text !== undefined && { text: redact(text) }),
    ...(user !== undefined && { user: { key: key.id, hash: keyedHash(user, key.secret) } }),
    receivedAt,
  };
}

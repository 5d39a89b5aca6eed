import type { z } from 'zod';
import { formatPlace, type Place } from '../../core/errors.ts';
import { keyedHash } from '../../core/lib/content-hash.ts';
import { redactPersonal } from '../../core/lib/redact-personal.ts';
import type { SecretRedactor } from '../../core/lib/redact-secrets.ts';
import { describeExpectation } from '../../core/lib/schema-issues.ts';
import {
  exportedFeedbackSchema,
  type Feedback,
  type GivenFeedback,
  givenFeedbackSchema,
} from '../../core/schema/feedback/feedback.ts';
import { readUserKey, type UserKey } from '../../stores/kinds/feedback.ts';
import { addFeedback, type FeedbackHome } from '../../stores/feedback/feedback-records.ts';

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
  readonly store: FeedbackHome;
  readonly secrets: Pick<SecretRedactor, 'text'>;
  /** ISO 8601. */
  readonly now: string;
  /**
   * True to take records that another store exported, which say themselves when they were received. A file is trusted with
   * that, and a program that sends records is not.
   */
  readonly takesExported?: boolean;
}

/**
 * Stores feedback as it was sent: each record for itself, checked, with the user hashed and texts redacted. A record that cannot
 * be used is refused with a reason, and the others are stored.
 */
export async function receiveFeedback(
  rows: readonly FeedbackRow[],
  { store, secrets, now, takesExported = false }: Reception,
): Promise<FeedbackReceipt> {
  const key = await readUserKey(store.documents);
  const refused: RefusedFeedback[] = [];
  const places = new Map<string, Place | undefined>();
  const records = rows.flatMap(({ value, place }) => {
    const checked = refuseLatest(
      takesExported && isExported(value) ? checkExported(value) : checkGiven(value),
    );
    if ('reason' in checked) {
      refused.push({ id: idOf(value), ...placeOf(place), reason: checked.reason });
      return [];
    }
    places.set(checked.record.id, place);
    return [prepareFeedback(checked.record, { key, secrets, receivedAt: now })];
  });
  const { conflicts, ...counts } = await addFeedback(store, records);
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

/** A record that can be stored, or the reason why it cannot. */
type Checked = { readonly record: GivenFeedback | Feedback } | { readonly reason: string };

function isExported(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'receivedAt' in value;
}

function checkGiven(value: unknown): Checked {
  const { success, data, error } = givenFeedbackSchema.safeParse(value);
  return success ? { record: data } : { reason: describeFaults(error) };
}

function checkExported(value: unknown): Checked {
  const { success, data, error } = exportedFeedbackSchema.safeParse(value);
  return success ? { record: data } : { reason: describeFaults(error) };
}

/** Refuses the words for the newest run, which is another one each time that it is asked for. */
function refuseLatest(checked: Checked): Checked {
  if ('reason' in checked || !('run' in checked.record.subject)) return checked;
  const { run } = checked.record.subject;
  if (!/^latest(~\d+)?$/.test(run)) return checked;
  return { reason: `subject.run: expected the id of a run, which \`touchstone runs\` lists, not ${run}` };
}

function describeFaults(error: z.ZodError): string {
  const faults = error.issues.map((issue) => {
    const expectation = describeExpectation(issue);
    const what = expectation === undefined ? issue.message : `expected ${expectation}`;
    return issue.path.length === 0 ? what : `${issue.path.join('.')}: ${what}`;
  });
  return faults.join('; ');
}

function idOf(value: unknown): string | null {
  const id = (value as { readonly id?: unknown } | null | undefined)?.id;
  return typeof id === 'string' ? id.slice(0, 128) : null;
}

function placeOf(place: Place | undefined): { place?: string } {
  return place === undefined ? {} : { place: formatPlace({ file: place.file, line: place.line }) };
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
 * their form. An exported record keeps the hash and the time that it has.
 */
function prepareFeedback(
  { user, text, name, source, at, ...rest }: GivenFeedback | Feedback,
  { key, secrets, receivedAt }: Border,
): Feedback {
  const redact = (given: string) => redactPersonal(secrets.text(given));
  return {
    receivedAt,
    ...rest,
    // One spelling of times, since they are sorted as texts.
    at: new Date(at).toISOString(),
    source: redact(source),
    ...(name !== undefined && { name: redact(name) }),
    ...(text !== undefined && { text: redact(text) }),
    ...(user !== undefined && {
      user: typeof user === 'string' ? { key: key.id, hash: keyedHash(user, key.secret) } : user,
    }),
  };
}

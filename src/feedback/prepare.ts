import { createHmac } from 'node:crypto';
import { redactPersonal } from '../lib/redact-personal.ts';
import type { SecretRedactor } from '../lib/redact-secrets.ts';
import type { Feedback, GivenFeedback } from '../schema/feedback.ts';
import type { UserKey } from '../stores/feedback/feedback-store.ts';

/** What feedback passes before it is stored. */
export interface Border {
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
export function prepareFeedback(
  { user, text, name, source, ...rest }: GivenFeedback,
  { key, secrets, receivedAt }: Border,
): Feedback {
  const redact = (given: string) => redactPersonal(secrets.text(given));
  return {
    ...rest,
    source: redact(source),
    ...(name !== undefined && { name: redact(name) }),
    ...(text !== undefined && { text: redact(text) }),
    ...(user !== undefined && { user: { key: key.id, hash: hashUser(user, key) } }),
    receivedAt,
  };
}

/** Returns the HMAC-SHA-256 of a user's id, as 32 hexadecimal digits. */
function hashUser(user: string, { secret }: UserKey): string {
  return createHmac('sha256', Buffer.from(secret, 'hex')).update(user).digest('hex').slice(0, 32);
}

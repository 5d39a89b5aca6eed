import { keyedHash } from '../../core/lib/content-hash.ts';
import { type ExactNumber, isNumber, isWholeNumber } from '../../core/lib/json/exact-number.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import { isSecretSetting } from '../../core/lib/literal-secrets.ts';
import { setMember } from '../../core/lib/objects.ts';
import { redactPersonal } from '../../core/lib/redact-personal.ts';
import type { SecretRedactor } from '../../core/lib/redact-secrets.ts';
import type { Attributes, Span } from '../../core/schema/message.ts';
import type { StoredSpan } from '../../core/schema/trace/stored-trace.ts';
import type { UserKey } from '../../stores/kinds/feedback.ts';

/** The means by which spans are made fit to be stored. */
export interface Border {
  /** The key with which users and personal data are hashed. */
  readonly key: UserKey;
  /** Removes the secrets of the environment. */
  readonly secrets: Pick<SecretRedactor, 'text'>;
}

/** Attributes that name the user, in the order in which they are looked for. */
const users = [
  'user.id',
  'enduser.id',
  'langfuse.user.id',
  'user_id',
  'gen_ai.user.id',
  'ai.telemetry.metadata.userId',
  'traceloop.association.properties.user_id',
  'langsmith.metadata.user_id',
];

/** Attributes about the person or the machine of the user, which nothing here needs. */
const personal =
  /^(user\.(name|full_name|email|hash|roles)|enduser\.\w+|client\.(address|socket\..+)|source\.address|net(work)?\.(sock\.)?peer\.(ip|addr|address|name)|http\.client_ip|user_agent\.original|http\.user_agent|http\.(request|response)\.header\..+)$/;

/** The digits of a token that stands for a personal value: too few to find the value by trying. */
const digitsOfToken = 6;

/**
 * Makes the record of a span: the user becomes a keyed hash, attributes about the person are removed, and every text loses
 * secrets and personal data that can be known by their form. The same value has the same token in all spans.
 */
export function redactSpan(
  { place: _place, ...span }: Span & { readonly spanId: string },
  border: Border,
): StoredSpan {
  const { key } = border;
  const redact = createRedactor(border);
  const user = users
    .flatMap((name) => [span.attributes[name], span.resource[name]])
    .find((value) => (typeof value === 'string' || isNumber(value)) && value !== '');
  const conversation = span.attributes['gen_ai.conversation.id'] ?? span.attributes['session.id'];
  return {
    ...span,
    name: redact.text(span.name),
    attributes: redact.attributes(span.attributes),
    events: span.events.map((event) => ({
      ...event,
      name: redact.text(event.name),
      attributes: redact.attributes(event.attributes),
    })),
    ...(span.error !== undefined && { error: redact.text(span.error) }),
    resource: redact.attributes(span.resource),
    ...(typeof conversation === 'string' &&
      conversation !== '' && { conversation: redact.text(conversation) }),
    ...(user !== undefined && { user: { key: key.id, hash: keyedHash(String(user), key.secret) } }),
  };
}

function createRedactor({ key, secrets }: Border) {
  const markOf = (value: string) => keyedHash(value, key.secret).slice(0, digitsOfToken);
  const text = (given: string): string => redactText(given, plain);
  const plain = (given: string) => redactPersonal(secrets.text(given), markOf);
  const attributes = (given: Attributes): Attributes => {
    const kept: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(given)) {
      if (users.includes(name) || personal.test(name)) continue;
      const isSecret = typeof value === 'string' && isSecretSetting(name);
      setMember(kept, plain(name), isSecret ? '[removed]' : redactValue(value, text));
    }
    return kept;
  };
  return { text, attributes };
}

/**
 * Redacts a text. One that is JSON stays JSON: its texts and numbers are redacted, and not its notation, since the digits of a
 * number would become a word without quotation marks.
 */
function redactText(original: string, plain: (text: string) => string): string {
  const redacted = plain(original);
  if (redacted === original || !/^\s*[[{]/.test(original)) return redacted;
  const parsed = parse(original);
  return parsed === undefined
    ? redacted
    : JSON.stringify(redactValue(parsed, (text) => redactText(text, plain)));
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Redacts the texts, names and long numbers of a value. A number that is personal becomes a text. */
function redactValue(value: unknown, text: (given: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (isNumber(value)) return redactNumber(value, text);
  if (!isContainer(value)) return value;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, text));
  const redacted: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const isSecret = typeof member === 'string' && isSecretSetting(name);
    setMember(redacted, text(name), isSecret ? '[removed]' : redactValue(member, text));
  }
  return redacted;
}

/** A card number has at least 13 digits; smaller numbers are amounts, counts and times. */
const fewestOfCard = 1e12;

function redactNumber(value: number | ExactNumber, text: (given: string) => string): unknown {
  if (!isWholeNumber(value) || Number(value) < fewestOfCard) return value;
  const redacted = text(String(value));
  return redacted === String(value) ? value : redacted;
}

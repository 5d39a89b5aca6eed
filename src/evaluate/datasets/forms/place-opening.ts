import { type Fields, isFields } from '../fields.ts';

/** The result of moving the first words of the user into the input of a case. */
interface PlacedOpening {
  /** The number of turns that were put before the turns of the script. */
  readonly added: number;
}

/**
 * Normalizes a case of several turns: its input ends with the user's first words, and a script has them as its first
 * turn. A user with a goal and no question finds their own first words; the goal then serves as the question.
 */
export function placeOpening(value: Fields): PlacedOpening {
  const { user } = value;
  if (!isFields(user)) return { added: 0 };
  if (Array.isArray(user['script'])) return placeScript(value, user, user['script']);
  const { input = user['goal'] } = value;
  const isOpen = value['input'] === undefined || (Array.isArray(input) && lastOf(input).role !== 'user');
  value['input'] = input;
  if (isOpen) value['user'] = { opens: true, ...user };
  return { added: 0 };
}

function placeScript(value: Fields, user: Fields, script: readonly unknown[]): PlacedOpening {
  const { input } = value;
  const first = isFields(script[0]) ? script[0]['say'] : undefined;
  if (input === undefined) value['input'] = first;
  const last = Array.isArray(input) ? lastOf(input) : { role: 'user', content: input };
  if (input === undefined || last.content === first) return { added: 0 };
  if (last.role === 'user') {
    value['user'] = { ...user, script: [{ say: last.content }, ...script] };
    return { added: 1 };
  }
  value['input'] = [...(input as unknown[]), { role: 'user', content: first }];
  return { added: 0 };
}

function lastOf(messages: readonly unknown[]): { readonly role?: unknown; readonly content?: unknown } {
  const last = messages.at(-1);
  return isFields(last) ? last : {};
}

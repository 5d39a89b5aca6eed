import { shorten } from '../../lib/terminal-text.ts';

const longestNote = 160;

/** Items as one reads them out: `a`, `a and b`, `a, b and c`. */
export function listOf(items: readonly string[], last: 'and' | 'or' = 'and'): string {
  const [end = '', ...others] = items.toReversed();
  return others.length === 0 ? end : `${others.toReversed().join(', ')} ${last} ${end}`;
}

/** A clause as a sentence: with a capital letter and a full stop. */
export function toSentence(clause: string): string {
  const end = /[.!?…]$/.test(clause) ? '' : '.';
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}${end}`;
}

/** The name of a criterion or an outcome in words: `correct_time` is `correct time`. */
export function inWords(name: string): string {
  return name.replace(/(?<=[\p{L}\p{N}])[_-]+(?=[\p{L}\p{N}])/gu, ' ');
}

/** The name of an outcome in words with its article: `a graceful failure`. */
export function withArticle(outcome: string): string {
  const words = inWords(outcome);
  return `${/^[aeiou]/i.test(words) ? 'an' : 'a'} ${words}`;
}

/** Behind what it is about, in brackets, what there is to say: a cost, the reason, both or nothing. */
export function inBrackets(...parts: readonly (string | undefined)[]): string {
  const said = parts.filter((part) => part !== undefined && part !== '').join(': ');
  return said === '' ? '' : ` (${said})`;
}

/** What a metric says as part of a sentence: one line, not too long, without a full stop. */
export function asNote(note: string | undefined): string | undefined {
  return note === undefined ? undefined : shorten(note.trim(), longestNote).replace(/(?<!\.)\.$/, '');
}

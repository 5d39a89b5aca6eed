import type { Expected } from '../../schema/case.ts';
import type { Json } from '../../schema/json.ts';
import { wordsOf } from './fold-message.ts';

/**
 * The values of what a case expects that nobody says by chance: codes, amounts and addresses in the final state, whole
 * answers. Dates and times are left out: a user who knows them may well write them in another way.
 */
export function hiddenValues({ state, answer }: Expected): string[] {
  const answers = [answer ?? []].flat().filter((text) => wordsOf(text).length >= 3 || isTelling(text));
  return [...new Set([...leavesOf(state ?? null).filter(isTelling), ...answers])];
}

/** Matchers whose members are values to be met; those of the others are rules. */
const valueMatchers = new Set(['$near', '$text', '$oneOf', '$set', '$includes', '$exact']);

function leavesOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key.startsWith('$') && !valueMatchers.has(key) ? [] : leavesOf(member),
  );
}

function isTelling(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length;
  if (digits === 0) return text.includes('@');
  const isPlainNumber = /^[-+]?[\d.,]+$/.test(text);
  if (isPlainNumber && (digits < 4 || /^(?:19|20)\d\d$/.test(text))) return false;
  return text.length >= 4 && !isDateOrTime(text);
}

/** `2026-03-03`, `3.3.2026`, `3/3`, `10:00`, with whatever comes after them. */
function isDateOrTime(text: string): boolean {
  return /^(?:\d{4}-\d{1,2}(?:-|$)|\d{1,2}([/.])\d{1,2}\1|\d{1,2}\/\d{1,2}$|\d{1,2}:\d{2}(?!\d))/.test(text);
}

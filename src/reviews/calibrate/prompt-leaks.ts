import type { Json } from '../../schema/json.ts';

/** A labelled item with its texts. */
export interface ItemTexts {
  readonly caseId: string;
  readonly question: string;
  readonly answer: string;
}

/** A text of a labelled item that a prompt contains. */
export interface PromptLeak {
  readonly caseId: string;
  readonly text: 'question' | 'answer';
}

/** The least number of characters of a text that is searched for: shorter ones, such as "I don't know.", are no proof. */
const leastLength = 20;

/**
 * Finds the labelled items whose question or answer a judge's prompt contains, ignoring case, spaces and line breaks. A judge
 * that was shown an answer with its label cannot be certified by it.
 */
export function findLeaks<Item extends ItemTexts>(
  prompts: Iterable<string>,
  items: readonly Item[],
): (Item & PromptLeak)[] {
  const text = Array.from(prompts, normalize).join('\n');
  const isIn = (part: string) => {
    const normal = normalize(part);
    return normal.length >= leastLength && hasWords(text, normal);
  };
  return items.flatMap((item): (Item & PromptLeak)[] => {
    if (isIn(item.question)) return [{ ...item, text: 'question' }];
    return isIn(item.answer) ? [{ ...item, text: 'answer' }] : [];
  });
}

/** Returns whether a text contains a part that neither begins nor ends inside a word or a number. */
function hasWords(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + part.length)];
    if (!isWord(before + part.charAt(0)) && !isWord(part.charAt(part.length - 1) + after)) return true;
  }
  return false;
}

function isWord(pair: string): boolean {
  return /^[\p{L}\p{N}]{2}$/u.test(pair);
}

function normalize(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** Yields all texts in the settings of a metric: its question, its template, its examples. */
export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value as Readonly<Record<string, Json>>)) yield* textsIn(part);
}

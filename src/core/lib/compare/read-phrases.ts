import { asFoundNumber } from '../numbers/same-number.ts';
import { readBefore } from './limits.ts';
import type { Quantity } from './quantity.ts';
import type { Span, Term } from './term.ts';
import { unitOf } from './units.ts';

/** A phrase that is read as a whole: what it says is in none of its words. */
interface Phrase {
  /** A part that every such phrase has, quick to find. */
  readonly may: RegExp;
  readonly pattern: RegExp;
  readonly read: (match: RegExpExecArray, place: Place) => Term | undefined;
}

type Place = Pick<Term, 'text' | 'start' | 'end'>;

const numerals = ['i', 'ii', 'iii'];
const ordinals = ['first', 'second', 'third'];

/** A price of nothing. `Free` alone is one only as what a sentence says of something: not in `a free trial` or `feel free`. */
const nothing = [
  String.raw`free of (?:any )?(?:charge|cost)s?`,
  String.raw`at no (?:extra |additional |further )?(?:charge|cost)`,
  String.raw`without (?:any )?(?:charge|cost)s?`,
  String.raw`no (?:charge|cost|fee)s?(?! of \d)`,
  String.raw`(?<=^|(?:is|are|was|were|be|it's|that's|they're|completely|absolutely|totally|entirely|always|for|ist|est|sono|es) )(?:free|complimentary|gratis|kostenlos|kostenfrei|gratuite?)(?=$|[.,;!)]| (?:for|within|on|in|until|during|if|when|with|and|at)(?!\p{L}))`,
  String.raw`costs? (?:you )?nothing`,
].join('|');

const duration = String.raw`(?<unit>minute|hour|day|week|fortnight|month|year)(?<half> and a half)?`;

const phrases: readonly Phrase[] = [
  {
    may: /ww|world war/i,
    pattern:
      /(?<![\p{L}\p{N}])(?:(?:ww|world war) ?(?<after>[123]|i{1,3}|one|two|three)|(?<before>first|second|third|1st|2nd|3rd) world war)(?![\p{L}\p{N}])/giu,
    read: ({ groups = {} }, place) => ({ kind: 'code', key: `world war ${numberOf(groups)}`, ...place }),
  },
  {
    may: /charge|cost|fee|free|complimentary|gratis|kosten|gratuit/i,
    pattern: new RegExp(String.raw`(?<![\p{L}\p{N}-])(?:${nothing})(?![\p{L}\p{N}-])`, 'giu'),
    read: (_, place) => quantityAt(0, place),
  },
  {
    may: /(?<!\p{L})an? (?:minute|hour|day|week|fortnight|month|year)/iu,
    pattern: new RegExp(
      String.raw`(?<=^|(?:takes?|within|in|after|for|about|is|lasts?|lasted|least|most|approximately|roughly|around|than|under|over|only|every) )an? ${duration}(?=$|[.,;!?)]| (?:ago|later|earlier|or (?:less|more))(?!\p{L}))`,
      'giu',
    ),
    read: ({ groups = {} }, place) =>
      quantityAt(groups['half'] === undefined ? 1 : 1.5, place, groups['unit']),
  },
];

function numberOf({ before, after }: Record<string, string | undefined>): number {
  const written = (before ?? after ?? '').toLowerCase();
  const place = [numerals, ordinals, ['one', 'two', 'three']].map((list) => list.indexOf(written));
  return Math.max(...place) + 1 || Number.parseInt(written, 10);
}

function quantityAt(value: number, place: Place, unit?: string): Term {
  const number = asFoundNumber(value);
  const named = unit === undefined ? undefined : unitOf(unit);
  const quantity: Quantity = { ...number, ...place, ...(named !== undefined && { unit: named }) };
  return { kind: 'number', key: number.exact, ...place, quantity };
}

/** Finds the phrases of a prepared text that mean a number or a name: `free of charge`, `WWII`, `a fortnight`. */
export function readPhrases(text: string): Term[] {
  const found: Term[] = [];
  for (const { may, pattern, read } of phrases) {
    if (!may.test(text)) continue;
    for (const match of text.matchAll(pattern)) {
      const place = { text: match[0], start: match.index, end: match.index + match[0].length };
      const term = read(match, place);
      if (term === undefined || found.some((other) => areOverlapping(other, place))) continue;
      found.push(term.quantity === undefined ? term : withLimit(term, term.quantity, text));
    }
  }
  return found;
}

function areOverlapping(one: Span, other: Span): boolean {
  return one.start < other.end && other.start < one.end;
}

function withLimit(term: Term, quantity: Quantity, text: string): Term {
  const before = readBefore(text.slice(Math.max(0, term.start - 24), term.start));
  return { ...term, quantity: { ...quantity, ...before } };
}

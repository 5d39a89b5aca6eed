import { functionWords } from './function-words.ts';
import type { Term } from './term.ts';

const contrasts = new Set(
  'but however although though whereas while yet except sondern aber jedoch mais pero sino mas ma però maar но а'.split(
    ' ',
  ),
);
/**
 * Returns whether one of two texts denies what the other affirms. Only denials in a clause that shares a word with the
 * expected text count: `It is 42, no more questions` does not deny 42.
 */
export function hasOtherDenial(given: readonly Term[], wanted: readonly Term[], text: string): boolean {
  const isExpected = wanted.some(({ kind }) => kind === 'not');
  if (!isExpected && !given.some(({ kind }) => kind === 'not')) return false;
  const expected = new Set(
    wanted.flatMap(({ kind, key }) => (kind === 'not' || functionWords.has(key) ? [] : [key])),
  );
  const isDenied = clausesOf(given, text).some(
    (clause) => clause.some(({ kind }) => kind === 'not') && clause.some(({ key }) => expected.has(key)),
  );
  return isDenied !== isExpected || deniesOthers(given, wanted);
}

/** Returns whether one text denies more often, and what the other affirms: `I cannot help, and we can not check.` */
function deniesOthers(given: readonly Term[], wanted: readonly Term[]): boolean {
  const [first, second] = [deniedIn(given), deniedIn(wanted)];
  if (first.length === second.length) return false;
  const [more, fewer, other] =
    first.length > second.length ? [first, second, wanted] : [second, first, given];
  const affirmed = new Set(other.flatMap(({ kind, key }) => (kind === 'not' ? [] : [key])));
  return more.some((word) => affirmed.has(word) && !fewer.includes(word));
}

const mostDenials = 200;

/** Returns the word that each denial is about: the next one that states something. */
function deniedIn(terms: readonly Term[]): string[] {
  return terms
    .slice(0, 20_000)
    .flatMap(({ kind }, index) => {
      if (kind !== 'not') return [];
      const word = terms.slice(index + 1, index + 6).find(({ key }) => !functionWords.has(key));
      return word === undefined ? [] : [word.key];
    })
    .slice(0, mostDenials);
}

function clausesOf(terms: readonly Term[], text: string): Term[][] {
  const clauses: Term[][] = [[]];
  let end = 0;
  for (const term of terms) {
    const isNew =
      term.start > end && /[.!?;:,](?:\s|$)|[()]/u.test(text.slice(end, Math.min(term.start, end + 200)));
    if (isNew || contrasts.has(term.key)) clauses.push([]);
    clauses.at(-1)?.push(term);
    end = term.end;
  }
  return clauses;
}

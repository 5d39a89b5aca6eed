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
  return isDenied !== isExpected;
}

function clausesOf(terms: readonly Term[], text: string): Term[][] {
  const clauses: Term[][] = [[]];
  let end = 0;
  for (const term of terms) {
    const isNew =
      term.start > end && /[.!?;:,](?:\s|$)/u.test(text.slice(end, Math.min(term.start, end + 200)));
    if (isNew || contrasts.has(term.key)) clauses.push([]);
    clauses.at(-1)?.push(term);
    end = term.end;
  }
  return clauses;
}

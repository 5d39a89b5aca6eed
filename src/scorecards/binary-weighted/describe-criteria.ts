import { costOf, nameOf, nameWithNote, phraseOf } from './name-criteria.ts';
import type { Mark } from './read-marks.ts';
import { asNote, inBrackets, listOf } from './sentence.ts';

/** Clauses, each good for a sentence, on what was met, what was not and what that cost, and what is not known. */
export function describeCriteria(marks: readonly Mark[], scale: number): string[] {
  const unknown = marks.filter(({ truth }) => truth === 'not-measured');
  const inapplicable = marks.filter(({ truth }) => truth === 'not-applicable');
  return [
    describeKnown(marks, scale),
    describeUnmeasured(unknown, marks.length),
    describeInapplicable(inapplicable),
  ].filter((clause) => clause !== '');
}

function describeKnown(marks: readonly Mark[], scale: number): string {
  const met = marks.filter(({ isMet }) => isMet === true);
  const missed = marks.filter(({ isMet }) => isMet === false);
  if (met.length === marks.length && !met.some((mark) => phraseOf(mark) !== undefined)) {
    return met.length === 1 ? `${met.map(nameOf).join('')} was met` : `all ${met.length} criteria were met`;
  }
  const gains = listOf(gainClauses(met));
  const losses = listOf(lossClauses(missed, scale));
  return [gains, losses].filter((clause) => clause !== '').join(', but ');
}

/** What did not happen, and was not to, is worth a word only where the user has one for it. */
function gainClauses(met: readonly Mark[]): string[] {
  const names = met.filter((mark) => phraseOf(mark) === undefined && !isNegative(mark)).map(nameOf);
  return [...met.flatMap((mark) => phraseOf(mark) ?? []), ...clause(names, 'was met', 'were met')];
}

function lossClauses(missed: readonly Mark[], scale: number): string[] {
  const withCost = (mark: Mark, words: string) => `${words}${costOf(mark, scale)}`;
  const phrases = missed.flatMap((mark) => {
    const phrase = phraseOf(mark);
    return phrase === undefined ? [] : [withCost(mark, phrase)];
  });
  const others = missed.filter((mark) => phraseOf(mark) === undefined);
  const named = (group: readonly Mark[]) => group.map((mark) => withCost(mark, nameOf(mark)));
  return [
    ...phrases,
    ...clause(named(others.filter((mark) => !isNegative(mark))), 'was not met', 'were not met'),
    ...clause(named(others.filter(isNegative)), 'counts against it', 'count against it'),
  ];
}

/** One fault, such as a target that gave no answer, is told once. */
function describeUnmeasured(unknown: readonly Mark[], all: number): string {
  const groups = Map.groupBy(unknown, ({ note }) => asNote(note));
  if (unknown.length === all && all > 1 && groups.size === 1) {
    return `nothing was measured${inBrackets([...groups.keys()][0])}`;
  }
  const names = Array.from(groups, ([note, marks]) => `${listOf(marks.map(nameOf))}${inBrackets(note)}`);
  return unknown.length === 0 ? '' : `${listOf(names)} ${unknown.length === 1 ? 'was' : 'were'} not measured`;
}

function describeInapplicable(marks: readonly Mark[]): string {
  const names = marks.map(nameWithNote);
  return clause(names, 'does not apply', 'do not apply').join('');
}

function isNegative({ criterion }: Mark): boolean {
  return criterion.negative === true;
}

/** The names with what is said of them; nothing when there are none. */
function clause(names: readonly string[], ofOne: string, ofSeveral: string): string[] {
  if (names.length === 0) return [];
  return [`${listOf(names)} ${names.length === 1 ? ofOne : ofSeveral}`];
}

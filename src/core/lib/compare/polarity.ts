import type { Surroundings, TermMatch } from './comparison.ts';
import { findAffirmations } from './denials.ts';
import { functionWords, formsOf, type Term } from './term.ts';

const yes = new Set(
  'yes yep yeah yup true correct ja oui sí si sim sì да evet ναι tak はい 是 네'.split(' '),
);
const no = new Set('no nope nah false incorrect nein non não нет hayır όχι nie いいえ 否 아니요'.split(' '));

/**
 * Compares `yes` and `no` where they are expected, or begin both texts. An answer without either can say the same by
 * repeating the question: `We do not deliver on weekends.` Undefined where it decides nothing.
 */
export function matchPolarity(
  given: readonly Term[],
  wanted: readonly Term[],
  around: Surroundings,
): TermMatch | undefined {
  const first = wanted[0];
  const said = wanted.length === 1 ? withoutEmphasis(given) : given[0];
  const own = [yes, no].find((list) => first !== undefined && list.has(first.key));
  if (own === undefined || first === undefined || said === undefined) return undefined;
  if (deniesNothing(said, around.given)) return undefined;
  const other = own === yes ? no : yes;
  if (other.has(said.key) || (said.kind === 'not' && own === yes)) {
    const explanation = `“${said.text}” given, “${first.text}” expected`;
    return { outcome: 'different', by: 'yes or no', explanation };
  }
  if (wanted.length > 1) return undefined;
  if (!own.has(said.key) && !(own === no && isBareDenial(said, around.given)))
    return matchRepeated(given, first, around);
  const contrary = given.find(
    ({ key, kind }, place) =>
      place > 0 && kind === 'word' && other.has(key) && given[place - 1]?.kind !== 'not',
  );
  if (contrary === undefined) return { outcome: 'same', by: 'yes or no' };
  return {
    outcome: 'unclear',
    by: 'yes or no',
    explanation: `both “${said.text}” and “${contrary.text}” are given`,
  };
}

/** Returns whether a text is a denial alone: `Of course not.` */
function isBareDenial(said: Term, text: string): boolean {
  return said.kind === 'not' && /^(?:(?:of course|\p{L}+),? )?not(?: at all)?[.!]?$/iu.test(text.trim());
}

/** Returns whether a term is a `no` that denies nothing: `No problem`. */
function deniesNothing(said: Term, text: string): boolean {
  return said.key === 'no' && findAffirmations(text).some(({ start }) => start === said.start);
}

const emphasis = new Set('absolutely definitely certainly indeed surely course'.split(' '));
const regret = new Set('unfortunately sadly sorry'.split(' '));

/**
 * Returns the first term of an answer that decides: `Absolutely.` is yes where nothing else is said, or only words without
 * a denial; before `not` it decides nothing.
 */
function withoutEmphasis(given: readonly Term[]): Term | undefined {
  const [first, second] = keyAt(given, 0) === 'of' && keyAt(given, 1) === 'course' ? given.slice(1) : given;
  const isEmphatic =
    first !== undefined && (emphasis.has(first.key) || (first.key === 'sure' && given.length === 1));
  if (second?.kind === 'not' && (isEmphatic || regret.has(keyAt(given, 0)))) return second;
  const isYes = isEmphatic && !yes.has(second?.key ?? '') && !given.some(denies);
  return isYes ? { ...first, key: 'yes' } : given[0];
}

function keyAt(terms: readonly Term[], place: number): string {
  return terms[place]?.key ?? '';
}

function denies({ kind, key }: Term): boolean {
  return kind === 'not' || no.has(key);
}

/** Compares an answer that repeats the question as a statement, and says nothing else. */
function matchRepeated(given: readonly Term[], wanted: Term, around: Surroundings): TermMatch | undefined {
  const isTrue = statesQuestion(given, around.question(), around.given);
  if (isTrue === undefined) return undefined;
  const explanation = isTrue ? 'the answer affirms the question' : 'the answer denies the question';
  return { outcome: yes.has(wanted.key) === isTrue ? 'same' : 'different', by: 'yes or no', explanation };
}

const auxiliaries = new Set(
  'is are was were do does did has have had can could will would should may must'.split(' '),
);
/** Words that may be added to the words of the question: none of them limits what is said. */
const beside = new Set([
  ...[...functionWords].filter((word) => !/^(?:if|or|can|will|would|which|who|what)$/.test(word)),
  ...'unfortunately sorry indeed certainly my your our their his her please me us him them'.split(' '),
]);

const longest = 40;

/**
 * Returns whether an answer affirms or denies a question, of which it repeats all words that state something, in their
 * order, or, as in `We do.`, none; undefined where it says anything else, and for a question that is no such one.
 */
function statesQuestion(
  given: readonly Term[],
  question: readonly Term[],
  text: string,
): boolean | undefined {
  const auxiliary = question[0]?.key ?? '';
  const isPlain =
    auxiliaries.has(auxiliary) && question.every(({ kind, key }) => kind !== 'not' && key !== 'or');
  if (!isPlain || given.length > longest || text.includes('?')) return undefined;
  const [asked, said] = [question.slice(1), given].map((terms) =>
    terms.filter(({ kind, key }) => kind !== 'not' && !beside.has(key) && key !== auxiliary),
  ) as [Term[], Term[]];
  const isRepeated =
    said.length === asked.length &&
    said.every(
      ({ kind, key }, place) => asked[place]?.kind === kind && formsOf(key).includes(asked[place].key),
    );
  const isShort = said.length === 0 && given.some(({ key }) => key === auxiliary) && given.length <= 4;
  const denials = given.filter(({ kind }) => kind === 'not').length;
  if (!isRepeated && !isShort) return undefined;
  return denials > 1 ? undefined : denials === 0;
}

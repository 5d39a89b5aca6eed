import { foldText, segmentWords } from '../../core/lib/text/words.ts';

/** A word of a question that says something, in the form in which questions are compared. */
export interface QuestionWord {
  readonly text: string;
  /**
   * Set for a word that makes it another question when it changes or moves. `fixed`: a number, a symbol, a question word,
   * a negation or a direction such as "before". `name`: a word that is capitalised within a sentence.
   */
  readonly anchor?: 'fixed' | 'name';
}

/** English words that say nothing by themselves: any answer contains them, and a question means the same without. */
export const emptyWords: ReadonlySet<string> = new Set(
  (
    'a an the this that these those there here it its i me my mine we us our you your he him his she her they them their ' +
    'is are was were be been being am do does did done have has had having can could would will shall ' +
    'of to in on at for and as so please just then than about with by from or if any some'
  ).split(' '),
);

/** The empty words that a question does not mean the same without: "flights to Rome" and "flights from Rome". */
const directions = new Set(['with', 'by', 'from', 'or', 'if', 'any', 'some', 'than', 'about', 'he', 'she']);

const anchors = new Set(
  (
    'not no never none nothing without except unless only both either neither all every each ' +
    'who whom whose what when where why which how many much must may should might ' +
    'before after above below over under between during since until more less most least fewer minimum maximum min max ' +
    'first second last next previous former latter oldest newest highest lowest largest smallest best worst ' +
    'increase decrease include exclude enable disable add remove buy sell open close start stop begin end import export ' +
    'send receive upload download up down off out left right north south east west true false yes same different ' +
    'with by from or if any some than about he she'
  ).split(' '),
);

const spacelessScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}]/u;
const token = /\p{L}[\p{L}\p{M}'’]*|\p{N}+(?:[.,:]\p{N}+)*|(?<!\p{L})-|-(?!\p{L})|[\p{S}*/#%&@\\_]/gu;
const startOfSentence = /(?:^|[.!?:\n"“(]\s*)$/u;

/**
 * Returns the words of a question that say something, in their order: lower-case, without plural endings, and without
 * {@link emptyWords}. A question of nothing else keeps all its words.
 */
export function questionWords(question: string): QuestionWord[] {
  const text = foldText(question);
  const words = [...wordsIn(text)];
  const telling = words.filter((word) => !emptyWords.has(word.text) || directions.has(word.text));
  return telling.length >= 2 ? telling : words;
}

/** Returns the words of a text that say something, in the form in which questions are compared. */
export function wordsOf(text: string): string[] {
  return questionWords(text).map((word) => word.text);
}

function* wordsIn(text: string): Generator<QuestionWord> {
  for (const match of text.matchAll(token)) {
    const [found] = match;
    if (spacelessScript.test(found)) {
      for (const segment of segmentWords(found)) yield { text: segment };
      continue;
    }
    const lower = found.toLowerCase().replaceAll('’', "'");
    if (/^[^\p{L}]/u.test(lower)) yield { text: lower, anchor: 'fixed' };
    else yield* plainWords(lower, isName(found, text, match.index));
  }
}

/** Splits a contraction: "isn't" into "is" and "not", "what's" into "what". */
function* plainWords(lower: string, isNamed: boolean): Generator<QuestionWord> {
  const isNegated = lower.endsWith("n't") || lower === 'cannot';
  const bare = lower.replace(/(?:n't|not|'(?:s|re|ll|d|ve|m))$/u, (ending) =>
    ending === 'not' && lower !== 'cannot' ? ending : '',
  );
  const singular = singularOf(bare.replaceAll("'", ''));
  if (anchors.has(singular)) yield { text: singular, anchor: 'fixed' };
  else if (singular !== '') yield isNamed ? { text: singular, anchor: 'name' } : { text: singular };
  if (isNegated) yield { text: 'not', anchor: 'fixed' };
}

/** Returns whether a word looks like a name: a capital letter inside it, or at its start within a sentence. */
function isName(word: string, text: string, at: number): boolean {
  if (/^.+\p{Lu}/u.test(word)) return true;
  return /^\p{Lu}/u.test(word) && word !== 'I' && !startOfSentence.test(text.slice(Math.max(0, at - 4), at));
}

function singularOf(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

import type { AnswerShape } from '../../schema/judgement.ts';
import type { JudgeQuestion } from '../judge.ts';
import { unitScale, wordsAgain } from '../prompt/reply-forms.ts';

type Said = Readonly<Record<string, unknown>>;

const verdictWords: Readonly<Record<string, string>> = {
  yes: wordsAgain.verdict[0],
  no: wordsAgain.verdict[1],
};
const preferenceWords: Readonly<Record<string, string>> = {
  first: wordsAgain.preference[0],
  second: wordsAgain.preference[1],
  tie: wordsAgain.preference[2],
};

/** Where a verdict stands, by shape. */
const verdictKeys: Readonly<Partial<Record<AnswerShape, 'score' | 'verdict' | 'better'>>> = {
  score: 'score',
  verdict: 'verdict',
  'quoted-verdict': 'verdict',
  preference: 'better',
};

/**
 * What in an answer differs from its verdict: `in_words`, in which it is said again, or another key that says one. The
 * reason is not looked into: that a text names a score does not show that it gives it. The fault names no score either, as
 * the judge would be led to it.
 */
export function findContradiction(
  said: Said,
  question: Pick<JudgeQuestion, 'shape' | 'scale'>,
): string | undefined {
  const key = verdictKeys[question.shape];
  if (key === undefined) return undefined;
  const rival = findRival(said, key);
  if (rival !== undefined) return `"${rival.slice(0, 40)}" says another verdict than "${key}"`;
  const words = said['in_words'];
  if (words === undefined) return `"in_words" is missing, which says "${key}" again`;
  if (typeof words !== 'string') return '"in_words" must be a text';
  if (matches(words.trim().toLowerCase(), said[key], question)) return undefined;
  return `"${key}" and "in_words" do not say the same`;
}

function matches(
  words: string,
  verdict: unknown,
  { shape, scale = unitScale }: Pick<JudgeQuestion, 'shape' | 'scale'>,
): boolean {
  if (shape === 'score') {
    const place = (Number(verdict) - scale.least) / (scale.most - scale.least);
    return fitsWord(words, place);
  }
  const expected = shape === 'preference' ? preferenceWords : verdictWords;
  return expected[plain(verdict)] === words.replace(/\.$/, '');
}

/** Whether a place between 0 and 1 can be called so. The ranges overlap: where one ends is not for a judge to know. */
function fitsWord(word: string, place: number): boolean {
  const slack = 1e-9;
  if (word === 'low') return place <= 0.5 + slack;
  if (word === 'high') return place >= 0.5 - slack;
  return word === 'middle' && place >= 0.25 - slack && place <= 0.75 + slack;
}

const verdictNames: ReadonlySet<string> = new Set([
  'score',
  'verdict',
  'rating',
  'grade',
  'better',
  'decision',
]);

/** A key beside the verdict that says a verdict too, and another one. */
function findRival(said: Said, own: string): string | undefined {
  return Object.keys(said).find((key) => {
    if (key === own) return false;
    const name = key
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '')
      .replace(/^(?:final|overall|total|my|the|true|real|actual|correct|judge)+/, '');
    return verdictNames.has(name) && plain(said[key]) !== plain(said[own]);
  });
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value.trim().toLowerCase() : JSON.stringify(value);
}

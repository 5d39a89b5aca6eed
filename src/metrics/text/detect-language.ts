import { segmentWords } from '../../lib/segment-words.ts';

/** What a text's language looks like. */
export interface LanguageGuess {
  /** ISO 639-1 code of the likeliest language. */
  readonly language: string;
  /** Likeness of each language that comes into question, in [0, 1]. */
  readonly likeness: Readonly<Record<string, number>>;
  readonly words: number;
}

/** The languages that can be told apart, by their ISO 639-1 codes; Indonesian counts as Malay, Bokmål as Norwegian. */
export const knownLanguages: ReadonlySet<string> = new Set(
  (
    'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl no or ' +
    'pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh'
  ).split(' '),
);

const sameAs = new Map([
  ['id', 'ms'],
  ['nb', 'no'],
  ['nn', 'no'],
  ['fil', 'tl'],
  ['iw', 'he'],
]);

/** The code under which a language is known here: `pt-BR` is `pt`, `id` is `ms`. */
export function languageCode(tag: string): string {
  const [primary = ''] = tag.toLowerCase().split(/[-_]/);
  return sameAs.get(primary) ?? primary;
}

/** UTF-16 code units from which a language is told: enough for any, and reading more costs more than in proportion. */
const mostRead = 2_000;

const noLanguage = /```[\s\S]*?(?:```|$)|`[^`\n]*`|https?:\/\/\S+|[\w.+-]{1,64}@[\w.-]{1,64}/gu;

/**
 * The likeliest language of a text, by the frequencies of its letter sequences (the package eld), leaving out code and
 * addresses. The model is loaded with the first text.
 */
export async function detectLanguage(text: string): Promise<LanguageGuess> {
  const { eld } = await import('eld/small');
  const prose = text
    .slice(0, 2 * mostRead)
    .replace(noLanguage, ' ')
    .slice(0, mostRead);
  const result = eld.detect(prose);
  const words = segmentWords(prose).filter((word) => /\p{L}/u.test(word)).length;
  return { language: result.language, likeness: result.getScores(), words };
}

import { z } from 'zod';
import { segmentWords } from '../../../core/lib/text/words.ts';
import { valueAtPath } from '../../../core/lib/objects.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { defineMetric } from '../metric.ts';
import { notApplicable, passOrFail } from '../verdicts.ts';

/**
 * Checks that the answer is in the expected language: 1, else 0. Not applicable without an expected language, to an
 * answer too short to recognise, and to one that could be in the expected language or another.
 */
export const language = defineMetric({
  name: 'language',
  family: 'style',
  version: 1,
  summary: 'The answer is in the expected language: 1, else 0.',
  words:
    'language detection, answers in English, German, French, Spanish, locale, multilingual, right language',
  options: () =>
    z.strictObject({
      language: z
        .string()
        .refine((tag) => knownLanguages.has(languageCode(tag)), {
          error: `not one of the languages that can be recognised: ${[...knownLanguages].join(' ')}`,
        })
        .optional()
        .describe('ISO 639-1 code of the expected language, such as `de`. When absent, see `from`.'),
      from: z
        .string()
        .min(1)
        .default('metadata.language')
        .describe('Path in the question to the code, used when `language` is absent.'),
      minWords: z.int().min(1).default(3).describe('Fewest words for which a language is recognised.'),
    }),
  create: (options) => ({
    score: async ({ case: testCase, trial }) => {
      const tag = options.language ?? valueAtPath(testCase, options.from);
      if (typeof tag !== 'string') return notApplicable(`the question has no language at ${options.from}`);
      const wanted = languageCode(tag);
      if (!knownLanguages.has(wanted)) return notApplicable(`the language ${tag} cannot be recognised`);
      const guess = await detectLanguage(trial.answer ?? '');
      if (guess.words < options.minWords) {
        return notApplicable(`an answer of ${guess.words} words is too short to recognise its language`);
      }
      return compare(guess, wanted);
    },
  }),
});

function compare({ language: found, likelihood }: LanguageGuess, wanted: string): Verdict {
  if (found === '') return notApplicable('the language of the answer cannot be recognised');
  const [best = 0, second = 0] = Object.values(likelihood).sort((a, b) => b - a);
  const lead = found === wanted ? best - second : best - (likelihood[wanted] ?? 0);
  const evidence = { found, likeness: { [found]: best, [wanted]: likelihood[wanted] ?? 0 } };
  if (lead >= leastDifference) {
    const passed = found === wanted;
    const explanation = passed ? undefined : `the answer is in ${found}, not ${wanted}`;
    return passOrFail(passed, { explanation, evidence });
  }
  return notApplicable(`the answer may be in ${wanted} or in another language`);
}

/** The result of recognising a text's language. */
interface LanguageGuess {
  /** The ISO 639-1 code of the most likely language. */
  readonly language: string;
  /** The likelihood of each candidate language, from 0 to 1. */
  readonly likelihood: Readonly<Record<string, number>>;
  readonly words: number;
}

/** The languages that can be recognised, by ISO 639-1 code; Indonesian counts as Malay, Bokmål as Norwegian. */
const knownLanguages: ReadonlySet<string> = new Set(
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

/** Returns the code by which a language is known here: `pt-BR` is `pt`, `id` is `ms`. */
function languageCode(tag: string): string {
  const [primary = ''] = tag.toLowerCase().split(/[-_]/);
  return sameAs.get(primary) ?? primary;
}

/**
 * The most UTF-16 code units that are read: enough to recognise any language, and the cost of more grows faster than
 * their number.
 */
const mostRead = 2_000;

const noLanguage = /```[\s\S]*?(?:```|$)|`[^`\n]*`|https?:\/\/\S+|[\w.+-]{1,64}@[\w.-]{1,64}/gu;

/**
 * Recognises the most likely language of a text by the frequencies of its letter sequences (the package eld), without
 * code and addresses. The model is loaded with the first text.
 */
async function detectLanguage(text: string): Promise<LanguageGuess> {
  const { eld } = await import('eld/small');
  const prose = text
    .slice(0, 2 * mostRead)
    .replace(noLanguage, ' ')
    .slice(0, mostRead);
  const result = eld.detect(prose);
  const words = segmentWords(prose).filter((word) => /\p{L}/u.test(word)).length;
  return { language: result.language, likelihood: result.getScores(), words };
}

/** The least difference in likelihood by which two languages can be distinguished. */
const leastDifference = 0.02;

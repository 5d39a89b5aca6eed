import { z } from 'zod';
import { segmentWords } from '../../lib/text/words.ts';
import { valueAtPath } from '../../lib/objects.ts';
import type { Verdict } from '../../schema/verdict.ts';
import { defineMetric } from '../metric.ts';

/** What a text's language looks like. */
interface LanguageGuess {
  /** ISO 639-1 code of the likeliest language. */
  readonly language: string;
  /** Likeness of each language that comes into question, in [0, 1]. */
  readonly likeness: Readonly<Record<string, number>>;
  readonly words: number;
}

/** The languages that can be told apart, by their ISO 639-1 codes; Indonesian counts as Malay, Bokmål as Norwegian. */
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

/** The code under which a language is known here: `pt-BR` is `pt`, `id` is `ms`. */
function languageCode(tag: string): string {
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
async function detectLanguage(text: string): Promise<LanguageGuess> {
  const { eld } = await import('eld/small');
  const prose = text
    .slice(0, 2 * mostRead)
    .replace(noLanguage, ' ')
    .slice(0, mostRead);
  const result = eld.detect(prose);
  const words = segmentWords(prose).filter((word) => /\p{L}/u.test(word)).length;
  return { language: result.language, likeness: result.getScores(), words };
}

/** Languages whose likeness differs by less cannot be told apart. */
const leastDifference = 0.02;

/**
 * 1 when the answer is in the expected language, else 0. Not applicable to an answer too short to tell, or whose language
 * is a close call between the expected one and another.
 */
export const language = defineMetric({
  name: 'language',
  family: 'style',
  version: 1,
  summary: 'The answer is in the expected language: 1, else 0.',
  options: () =>
    z.strictObject({
      language: z
        .string()
        .refine((tag) => knownLanguages.has(languageCode(tag)), {
          error: `not one of the languages that can be told apart: ${[...knownLanguages].join(' ')}`,
        })
        .optional()
        .describe('Its ISO 639-1 code, such as `de`. Else what stands at `from`.'),
      from: z
        .string()
        .min(1)
        .default('metadata.language')
        .describe('Path in the case that holds the code, for when no `language` is given.'),
      minWords: z.int().min(1).default(3).describe('Fewest words from which a language is told.'),
    }),
  create: (options) => ({
    score: async ({ case: testCase, trial }) => {
      const tag = options.language ?? valueAtPath(testCase, options.from);
      if (typeof tag !== 'string') return notApplicable(`the case has no language at ${options.from}`);
      const wanted = languageCode(tag);
      if (!knownLanguages.has(wanted)) return notApplicable(`the language ${tag} cannot be recognised`);
      const guess = await detectLanguage(trial.answer ?? '');
      if (guess.words < options.minWords) {
        return notApplicable(`an answer of ${guess.words} words is too short to tell its language`);
      }
      return compare(guess, wanted);
    },
  }),
});

function compare({ language: found, likeness }: LanguageGuess, wanted: string): Verdict {
  if (found === '') return notApplicable('the language of the answer cannot be told');
  const [best = 0, second = 0] = Object.values(likeness).sort((a, b) => b - a);
  const lead = found === wanted ? best - second : best - (likeness[wanted] ?? 0);
  const evidence = { found, likeness: { [found]: best, [wanted]: likeness[wanted] ?? 0 } };
  if (lead >= leastDifference) {
    const passed = found === wanted;
    const explanation = passed ? undefined : `the answer is in ${found}, not ${wanted}`;
    return { status: 'scored', value: passed ? 1 : 0, passed, explanation, evidence };
  }
  return notApplicable(`it is a close call whether the answer is in ${wanted} or in another language`);
}

function notApplicable(reason: string): Verdict {
  return { status: 'not-applicable', reason };
}

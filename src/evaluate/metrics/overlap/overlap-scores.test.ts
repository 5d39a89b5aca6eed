import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stemEnglish } from '../../../core/lib/search/stem-english.ts';
import { UnmeasurableError } from '../../../core/lib/compute-within.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { scoreAnswer, valueOf } from '../../../../test/support/score-answer.ts';
import { bleu } from './bleu.ts';
import { chrf } from './chrf.ts';
import { gleu } from './gleu.ts';
import { meteor } from './meteor.ts';
import { rouge } from './rouge.ts';
import { ter } from './ter.ts';

/** Written by scripts/write-expected-scores.py with the Python packages that define these metrics. */
const { pairs, stems } = JSON.parse(
  readFileSync(new URL('expected-scores.json', import.meta.url), 'utf8'),
) as {
  pairs: [
    answer: string,
    references: string[],
    scores: Record<string, number | number[]>,
    wordScores: Record<string, number>,
  ][];
  stems: Record<string, string>;
};

const chrfOptions: Record<string, object> = {
  chrf: {},
  'chrf++': { wordOrder: 2 },
  'chrf spaces': { keepSpaces: true, ignoreCase: true },
  'chrf epsilon': { wordOrder: 1, beta: 3, epsilonSmoothing: true },
};

function bleuOptions([, variant, orders]: string[]): object {
  if (orders === undefined) return { tokenizer: variant };
  return { smoothing: variant, effectiveOrder: orders === 'effective', ignoreCase: true };
}

test.each(pairs)('BLEU and chrF of %j against %j equal those of sacreBLEU', (answer, references, scores) => {
  const expected = { answer: references };
  for (const [name, score] of Object.entries(scores)) {
    if (typeof score !== 'number') continue;
    const given = name.startsWith('bleu')
      ? scoreAnswer(bleu, answer, { options: bleuOptions(name.split(' ')), expected })
      : scoreAnswer(chrf, answer, { options: chrfOptions[name] ?? {}, expected });
    expect.soft(valueOf(given), name).toBeCloseTo(Math.min(score / 100, 1), 12);
  }
});

/** The pairs of which rouge_score reads only a part: it gives 1 for the number in a Russian sentence. */
const unreadPairs = pairs.filter(([, references]) => references.every((text) => !mostlyLatin(text)));

function mostlyLatin(text: string): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu) ?? [];
  return letters.filter((letter) => /[\p{Script=Latin}\p{N}]/u.test(letter)).length * 2 >= letters.length;
}

test('ROUGE is not measured where rouge_score reads less than half of the expected answer', () => {
  expect(unreadPairs.length).toBeGreaterThanOrEqual(7);
  for (const [answer, references] of unreadPairs) {
    expect(() => scoreAnswer(rouge, answer, { expected: { answer: references } })).toThrow(
      expect.objectContaining({
        code: 'text-not-read',
        message: expect.stringContaining('a-z and 0-9 only'),
      }),
    );
  }
});

const readPairs = pairs.filter((pair) => !unreadPairs.includes(pair));

test.each(readPairs)('ROUGE of %j against %j equals that of rouge_score', (answer, references, scores) => {
  for (const [name, score] of Object.entries(scores)) {
    if (typeof score === 'number') continue;
    const [type, stemmed] = name.split(' ');
    for (const [index, measure] of ['precision', 'recall', 'f'].entries()) {
      const options = { type, measure, stemmer: stemmed !== undefined };
      const verdict = scoreRouge(answer, references, options);
      // A value of 1 that leaves the signs of `<5%>` out.
      if (verdict === 'text-not-read') {
        expect.soft([score[index], references.join('')], name).toEqual([1, expect.stringMatching(/[<>%]/)]);
      } else if (verdict.status === 'scored')
        expect.soft(verdict.value, name).toBeCloseTo(score[index] ?? -1, 12);
      else
        expect
          .soft([score, references.join('')], name)
          .toEqual([[0, 0, 0], expect.not.stringMatching(/[a-z0-9]/i)]);
    }
  }
});

function scoreRouge(answer: string, references: string[], options: object): Verdict | 'text-not-read' {
  try {
    return scoreAnswer(rouge, answer, { options, expected: { answer: references } });
  } catch (error) {
    if (error instanceof UnmeasurableError && error.code === 'text-not-read') return error.code;
    throw error;
  }
}

const wordMetrics: Record<string, (answer: string, answers: string[]) => Verdict> = {
  gleu: (answer, answers) => scoreAnswer(gleu, answer, { expected: { answer: answers } }),
  'gleu spaces': (answer, answers) => {
    const options = { tokenizer: 'spaces', ignoreCase: false, minOrder: 2, maxOrder: 3 };
    return scoreAnswer(gleu, answer, { options, expected: { answer: answers } });
  },
  meteor: (answer, answers) => scoreAnswer(meteor, answer, { expected: { answer: answers } }),
  'meteor spaces': (answer, answers) => {
    const synonyms = [
      ['flat', 'apartment'],
      ['car', 'automobile'],
      ['went', 'drove'],
    ];
    const options = { tokenizer: 'spaces', synonyms, alpha: 0.8, beta: 2, gamma: 0.4 };
    return scoreAnswer(meteor, answer, { options, expected: { answer: answers } });
  },
  ter: (answer, answers) => scoreAnswer(ter, answer, { expected: { answer: answers } }),
  'ter normalized': (answer, answers) => {
    const options = { normalize: true, ignoreCase: false };
    return scoreAnswer(ter, answer, { options, expected: { answer: answers } });
  },
  'ter no-punct': (answer, answers) => {
    const options = { normalize: true, ignorePunctuation: true };
    return scoreAnswer(ter, answer, { options, expected: { answer: answers } });
  },
};

test.each(pairs)(
  'GLEU and METEOR of %j against %j equal those of NLTK, TER that of sacreBLEU',
  (answer, references, _, scores) => {
    expect(Object.keys(scores)).toEqual(Object.keys(wordMetrics));
    for (const [name, score] of Object.entries(scores)) {
      const value = valueOf(
        wordMetrics[name]?.(answer, references) ?? { status: 'not-applicable', reason: name },
      );
      expect.soft(value, name).toBeCloseTo(score, 12);
    }
  },
);

test('stems equal those of NLTK', () => {
  expect(Object.fromEntries(Object.keys(stems).map((word) => [word, stemEnglish(word)]))).toEqual(stems);
});

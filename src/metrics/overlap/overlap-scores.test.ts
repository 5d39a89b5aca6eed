import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stemEnglish } from '../../lib/text/search/stem-english.ts';
import type { Verdict } from '../../schema/verdict.ts';
import { scoreAnswer, valueOf } from '../../../test/support/score-answer.ts';
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

test.each(pairs)('ROUGE of %j against %j equals that of rouge_score', (answer, references, scores) => {
  for (const [name, score] of Object.entries(scores)) {
    if (typeof score === 'number') continue;
    const [type, stemmed] = name.split(' ');
    for (const [index, measure] of ['precision', 'recall', 'f'].entries()) {
      const options = { type, measure, stemmer: stemmed !== undefined };
      const verdict = scoreAnswer(rouge, answer, { options, expected: { answer: references } });
      if (verdict.status === 'scored') expect.soft(verdict.value, name).toBeCloseTo(score[index] ?? -1, 12);
      else
        expect
          .soft([score, references.join('')], name)
          .toEqual([[0, 0, 0], expect.not.stringMatching(/[a-z0-9]/i)]);
    }
  }
});

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

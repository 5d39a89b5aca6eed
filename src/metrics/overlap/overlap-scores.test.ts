import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stemEnglish } from '../text/stem-english.ts';
import { scoreAnswer, valueOf } from '../../../test/support/score-answer.ts';
import { bleu } from './bleu.ts';
import { chrf } from './chrf.ts';
import { rouge } from './rouge.ts';

/** Written by scripts/write-expected-scores.py with the Python packages that define these metrics. */
const { pairs, stems } = JSON.parse(
  readFileSync(new URL('expected-scores.json', import.meta.url), 'utf8'),
) as {
  pairs: [answer: string, references: string[], scores: Record<string, number | number[]>][];
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

test('stems equal those of NLTK', () => {
  expect(Object.fromEntries(Object.keys(stems).map((word) => [word, stemEnglish(word)]))).toEqual(stems);
});

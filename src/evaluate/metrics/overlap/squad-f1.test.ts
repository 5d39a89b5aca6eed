import { expect, test } from 'vitest';
import { scoreAnswer } from '../../../../test/support/score-answer.ts';
import { squadF1 } from './squad-f1.ts';

const score = (answer: string, references: string[], options = {}) =>
  scoreAnswer(squadF1, answer, { options, expected: { answer: references } });

test('counts repeated tokens', () => {
  expect(score('york york york', ['new york'])).toMatchObject({
    value: (2 * (1 / 3) * (1 / 2)) / (1 / 3 + 1 / 2),
    evidence: { precision: 1 / 3, recall: 1 / 2 },
  });
  expect(score('new york new york', ['new york new york city'])).toMatchObject({
    evidence: { precision: 1, recall: 0.8 },
  });
});

test('the best of several references counts', () => {
  expect(score('the Normans', ['Vikings', 'normans', 'the Norman people'])).toMatchObject({
    value: 1,
    evidence: { reference: 'normans' },
  });
});

test('two texts without tokens score 0 by the script of 1.1 and 1 by that of 2.0', () => {
  expect(score('The', [''])).toMatchObject({ value: 0 });
  expect(score('The', [''], { script: '2.0' })).toMatchObject({ value: 1 });
  expect(score('Paris', [''], { script: '2.0' })).toMatchObject({ value: 0 });
});

test('is not applicable without an expected answer', () => {
  expect(scoreAnswer(squadF1, 'x')).toMatchObject({ status: 'not-applicable' });
});

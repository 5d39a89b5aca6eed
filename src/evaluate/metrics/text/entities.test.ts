import { expect, test } from 'vitest';
import { scoreAnswer } from '../../../../test/support/score-answer.ts';
import { entities } from './entities.ts';

const score = (wanted: string[] | undefined, answer: string) =>
  scoreAnswer(entities, answer, { expected: { entities: wanted } });

test('the value is the share of mentioned entities', () => {
  expect(score(['Poolula LLC', 'Montrose'], 'poolula llc is in Colorado')).toMatchObject({
    value: 0.5,
    evidence: { found: ['Poolula LLC'], missing: ['Montrose'] },
  });
});

test.each([[undefined], [[]]])('a case that expects %j is not applicable', (wanted) => {
  expect(score(wanted, 'anything')).toMatchObject({ status: 'not-applicable' });
});

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

test.each<[entity: string, answer: string, value: number]>([
  ['Apple', 'Apple’s phone', 1],
  ['Apple', 'APPLE INC.', 1],
  ['Apple', 'I like apples.', 0],
  ['Visa', 'Many visas expired.', 0],
  ['Shell', 'seashells and shells', 0],
  ['Desk Lamp', 'two desk lamps', 1],
  ['invoice', 'The invoices are due.', 1],
])('the entity %s in “%s”: %d', (entity, answer, value) => {
  expect(score([entity], answer)).toMatchObject({ value });
});

import { expect, test } from 'vitest';
import { scoreAnswer } from '../../../../test/support/score-answer.ts';
import { editSimilarity } from '../overlap/edit-similarity.ts';
import { rouge } from '../overlap/rouge.ts';
import { squadExactMatch } from '../overlap/squad-exact-match.ts';
import { squadF1 } from '../overlap/squad-f1.ts';
import { findUnreadDifference, wordReading } from './unread-text.ts';

const unread = (message: string) =>
  expect.objectContaining({ code: 'text-not-read', message: expect.stringContaining(message) });

const byWords = { unit: 'words' };

/** Answers that are alike only in what the metric reads: the published value is 1. */
const alikeInPart = [
  [
    rouge,
    'It costs 5 元 in 北京',
    'It costs 5 元 in 上海',
    {},
    'the answer has “元北京” and the expected answer “元上海”',
  ],
  [rouge, 'Your order is on its way 👍', 'Your order is on its way 👎', {}, '“👍”'],
  [rouge, 'if a == b', 'if a != b', {}, '“==” and the expected answer “!=”'],
  [rouge, 'C++', 'C#', {}, '“++” and the expected answer “#”'],
  [rouge, 'Müller', 'Möller', {}, '“ü” and the expected answer “ö”'],
  [rouge, '-5 degrees', '5 degrees', {}, '“-” and the expected answer nothing'],
  [rouge, 'room ٥', 'room ٦', {}, '“٥” and the expected answer “٦”'],
  [rouge, 'Call me 🙂', 'Call me 🙃', { tokenizer: 'unicode' }, 'no emoji'],
  [rouge, '北京 < 上海', '北京 > 上海', { tokenizer: 'unicode' }, '“<” and the expected answer “>”'],
  [editSimilarity, '👍', '👎', byWords, 'the answer has “👍” and the expected answer “👎”'],
  [editSimilarity, 'x < 5', 'x > 5', byWords, '“<” and the expected answer “>”'],
  [squadF1, '-5', '5', {}, '“-” and the expected answer nothing'],
  [squadF1, '314', '3.14', {}, 'nothing and the expected answer “.”'],
  [squadF1, 'C', 'C#', {}, '“#”'],
  [squadExactMatch, 'x < 5', 'x > 5', {}, '“<” and the expected answer “>”'],
  [squadExactMatch, '50', '50%', {}, '“%”'],
] as const;

test.each(alikeInPart)('%o: %s for %s is not measured', (metric, answer, expected, options, reason) => {
  expect(() =>
    scoreAnswer(metric as typeof rouge, answer, { options, expected: { answer: expected } }),
  ).toThrow(unread(reason));
});

/** Texts of which the metric reads all that matters keep the published value. */
const published = [
  [rouge, 'Paris.', 'Paris', {}, 1],
  [rouge, 'It is "well-known", he said!', 'it is well known; he said', {}, 1],
  [rouge, 'cafe\u0301', 'cafe\u0301', {}, 1],
  [rouge, 'Café au lait – très bon', 'café au lait, très bon', {}, 1],
  [rouge, '**Paris**', 'Paris', {}, 1],
  [rouge, 'It costs 5 元', 'It costs 5 元', {}, 1],
  [rouge, '东京', 'Tokyo', {}, 0],
  [rouge, 'hello there 👍', 'hello there', { type: 'rouge-1', measure: 'recall' }, 1],
  [rouge, 'hello', 'hello 你好', { type: 'rouge-1', measure: 'precision' }, 1],
  [rouge, '2024/01/05', '2024-01-05', {}, 1],
  [editSimilarity, 'Hello, world', 'Hello world!', byWords, 1],
  [editSimilarity, 'pi is 3.14', 'pi is 3.14', byWords, 1],
  [editSimilarity, '你好世界', '你好世界', byWords, 1],
  [squadF1, 'the U.S.', 'US', {}, 1],
  [squadF1, '$5 million', '5 million', {}, 1],
  [squadF1, '1,000', '1000', {}, 1],
  [squadF1, "don't", 'dont', {}, 1],
  [squadExactMatch, '北京', '北京', {}, 1],
] as const;

test.each(published)('%o: %s for %s, %o → %d', (metric, answer, expected, options, value) => {
  expect(
    scoreAnswer(metric as typeof rouge, answer, { options, expected: { answer: expected } }),
  ).toMatchObject({
    value,
  });
});

test('another expected answer that is met decides; where none is, the unread one leaves the value open', () => {
  const score = (answer: string) =>
    scoreAnswer(rouge, answer, { expected: { answer: ['你好世界', 'hello world'] } });
  expect(score('Hello world')).toMatchObject({ value: 1 });
  expect(() => score('hello')).toThrow(
    unread('4 of 4 letters and signs of the expected answer are not read'),
  );
});

test('a value of 1 that is a share of the answer alone asks only what the answer has', () => {
  const reading = { ...wordReading, shareOf: 'answer' } as const;
  expect(findUnreadDifference('a 👍', 'a', reading)).toMatch('“👍” and the expected answer nothing');
  expect(findUnreadDifference('a', 'a 👍', reading)).toBeUndefined();
});

test('a megabyte of hostile text is read in a moment', () => {
  const before = process.threadCpuUsage();
  for (const piece of ['5 * ', '-5', '👍', '٥', '3.', '! = ']) {
    findUnreadDifference(piece.repeat(3e5), `${piece.repeat(3e5)} x`, wordReading);
  }
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(20_000);
});

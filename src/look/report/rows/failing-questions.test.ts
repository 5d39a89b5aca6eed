import { expect, test } from 'vitest';
import { sampleInput } from '../../../../test/support/build-sample-run.ts';
import type { SampleTrial } from '../../../../test/support/judge-sample.ts';
import { failsForAll, listFailing } from './failing-questions.ts';

const right = { found: ['x'], expectedTools: ['search'], usedTools: ['search'] };
const wrong = { missing: ['149', '30 days'], expectedTools: ['search'], usedTools: ['list'] };

async function failingOf(trials: readonly SampleTrial[], most = 10) {
  return await listFailing(sampleInput(trials), most);
}

test('questions that fail for most targets come first, with what was said and what it lacks', async () => {
  const of = (target: string, ids: readonly string[]): SampleTrial[] =>
    ['a', 'b', 'c'].map((id) => ({
      ...(ids.includes(id) ? wrong : right),
      id,
      target,
      question: `${id}?`,
      answer: `It is\n  ${target}.`,
    }));
  const [one, two] = [of('one', ['b', 'c']), of('two', ['c'])];
  const failing = await failingOf(one.flatMap((trial, index) => [trial, two[index] as SampleTrial]));
  expect(failing.map(({ id, outcomes }) => [id, ...outcomes])).toEqual([
    ['c', 'failed', 'failed'],
    ['b', 'failed', 'passed'],
  ]);
  expect(failing.map(failsForAll)).toEqual([true, false]);
  expect(failing[1]).toMatchObject({ question: 'b?', target: 'one', said: 'It is one.', ordinal: 2 });
  expect(failing[1]?.lacks.map((part) => (typeof part === 'string' ? part : part.quoted)).join('')).toBe(
    'did not use search, but list · missing 149, 30 days',
  );
});

test('an error comes before the lowest score, and its reason is what lacks', async () => {
  const failing = await failingOf([
    { ...wrong, id: 'low', question: 'Low?', answer: 'No.' },
    { id: 'late', question: 'Late?', error: { code: 'timeout', message: 'no answer' } },
  ]);
  expect(failing.map(({ id, said }) => [id, said])).toEqual([
    ['late', null],
    ['low', 'No.'],
  ]);
  expect(failing[0]?.lacks).toEqual(['no answer: ', { quoted: 'no answer' }, '']);
});

test('an answer of 1 MB is a few words, and only as many questions are listed as asked for', async () => {
  const long = Array.from({ length: 5 }, (_, index) => ({
    ...wrong,
    id: `q${index}`,
    question: 'Q?',
    answer: ' \n'.repeat(50) + 'word '.repeat(200_000),
  }));
  const failing = await failingOf(long, 3);
  expect(failing.length).toBe(3);
  expect(failing[0]?.said?.length).toBeLessThan(210);
});

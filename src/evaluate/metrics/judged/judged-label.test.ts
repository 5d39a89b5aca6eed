import { expect, test } from 'vitest';
import { judgeAnswer } from '../../../../test/support/judge-answer.ts';
import { writePrompt } from '../../judges/prompt/write-prompt.ts';
import { readReply } from '../../judges/reply/read-reply.ts';
import { judgedLabel } from './judged-label.ts';

const text = 'How the answer relates to the expected one.';
const labels = { same: 1, partly: 0.4, different: 0 };

const judged = async (options: object, ...chosen: string[]) => {
  const rules = chosen.map((each, index) => ({
    ...(chosen.length > 1 && { sample: index + 1 }),
    reply: { reason: `because ${each}`, label: each },
  }));
  return await judgeAnswer(judgedLabel, 'x', {
    options: { text, samples: chosen.length, ...options },
    rules,
  });
};

test('the value is the score of the chosen label, and the label is kept', async () => {
  const { verdict, questions } = await judged({ labels }, 'PARTLY');
  expect(questions[0]).toMatchObject({ shape: 'label', labels: ['same', 'partly', 'different'] });
  expect(verdict).toMatchObject({ value: 0.4, label: 'partly', explanation: 'partly: because PARTLY' });
  expect((await judged({ labels, threshold: 0.4 }, 'partly')).verdict).toMatchObject({ passed: true });
  expect((await judged({ labels, passing: ['same'] }, 'partly')).verdict).toMatchObject({ passed: false });
});

test('of a list, the labels that pass are 1 and the others 0', async () => {
  const options = { labels: ['good', 'fair', 'bad'], passing: ['good', 'fair'] };
  expect((await judged(options, 'fair')).verdict).toMatchObject({ value: 1, passed: true });
  expect((await judged(options, 'bad')).verdict).toMatchObject({ value: 0, passed: false });
});

test('several samples give their mean and the label of most; of equally many the lower one', async () => {
  const { verdict } = await judged({ labels, passing: ['same'] }, 'same', 'different', 'same');
  expect(verdict).toMatchObject({ value: expect.closeTo(2 / 3, 12), label: 'same', passed: true });
  const tied = await judged({ labels, passing: ['same'] }, 'same', 'partly');
  expect(tied.verdict).toMatchObject({ value: 0.7, label: 'partly', passed: false });
});

test('a label that is not in the list is not measured', async () => {
  const { verdict } = await judged({ labels }, 'similar');
  expect(verdict).toMatchObject({ status: 'failed', code: 'judge-unreadable' });
});

test('labels without scores, without a choice, or that differ in letter case only are refused', () => {
  const faultOf = (options: object) =>
    judgedLabel.definition.options
      .safeParse({ text, ...options })
      .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
      .join();
  expect(faultOf({ labels: ['a', 'b'] })).toContain('passing: name the labels');
  expect(faultOf({ labels: { a: 1 } })).toContain('labels: there must be at least two');
  expect(faultOf({ labels: { a: 1, A: 0 } })).toContain('letter case');
  expect(faultOf({ labels: ['a', 'b'], passing: ['c'] })).toContain('"c" is not one of `labels`');
  expect(faultOf({ labels: { a: 2, b: 0 } })).toBeDefined();
  expect(faultOf({ labels })).toBeUndefined();
});

test('the prompt lists the labels, and a reply that says two of them is not read', async () => {
  const { questions } = await judged({ labels }, 'same');
  const asked = new Map(questions.map((each) => ['label', each]));
  const { system, form } = writePrompt(asked, 'k7f3q9ab');
  expect(system).toContain('"same" (number 1), "partly" (number 2), "different" (number 3)');
  expect(form.schema).toMatchObject({
    properties: {
      label: { enum: ['same', 'partly', 'different'] },
      in_words: { enum: ['number 1', 'number 2', 'number 3'] },
    },
  });
  const read = (parts: object) =>
    readReply(
      {
        text: JSON.stringify({ reason: 'so', label: 'Partly', id: 'k7f3q9ab', ...parts }),
        finishReason: 'stop',
      },
      asked,
      'k7f3q9ab',
    ).get('label');
  expect(read({ in_words: 'number 2' })).toEqual({
    status: 'answered',
    answer: { reason: 'so', label: 'partly' },
  });
  expect(read({ in_words: 'number 1' })).toMatchObject({ status: 'failed' });
  expect(read({ in_words: 'number 2', choice: 'same' })).toMatchObject({ status: 'failed' });
  expect(read({})).toMatchObject({ status: 'failed' });
});

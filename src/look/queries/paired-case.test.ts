import { expect, test } from 'vitest';
import { type AskedCase, buildKeptRun } from '../../../test/support/build-kept-run.ts';
import type { ComparedRun } from '../../decide/analysis/compare/compared-run.ts';
import { pairedTextLength } from '../../core/schema/api/comparison/paired-case.ts';
import { readPairedCase } from './paired-case.ts';

async function keep(id: string, cases: readonly AskedCase[]): Promise<ComparedRun> {
  return { ...(await buildKeptRun(cases, { id })), target: 'bot' };
}

const once = (asks: string, answer: string, id = asks): AskedCase => {
  return { asks, id, attempts: [{ total: 1, answer }] };
};

test('a case has the answers of both runs, wherever it is in their datasets', async () => {
  const a = await keep('a', [once('one', 'A1'), once('two', 'A2')]);
  const b = await keep('b', [once('new', 'B0'), once('two', 'B2'), once('one', 'B1')]);
  const paired = await readPairedCase(a, b, 'one');
  expect(paired).toMatchObject({
    caseId: 'one',
    question: 'one',
    category: 'uncategorized',
    a: { run: 'a', target: 'bot', attempts: [{ ordinal: 0, attempt: 1, answer: 'A1', result: 'passed' }] },
    b: { run: 'b', target: 'bot', attempts: [{ ordinal: 2, attempt: 1, answer: 'B1', result: 'passed' }] },
  });
});

test('a case is found in run A by its content, also under another id', async () => {
  const a = await keep('a', [once('one', 'A1', 'old-name'), once('other', 'A2', 'new-name')]);
  const b = await keep('b', [once('one', 'B1', 'new-name')]);
  expect((await readPairedCase(a, b, 'new-name')).a.attempts.map(({ answer }) => answer)).toEqual(['A1']);
});

test('all attempts are returned, without those that were not made', async () => {
  const a = await keep('a', [{ asks: 'q', attempts: [{ total: 1 }, { total: 0 }, { total: 1 }] }]);
  const b = await keep('b', [{ asks: 'q', attempts: [{ total: null }, { total: 1, isAbsent: true }] }]);
  const paired = await readPairedCase(a, b, 'q');
  expect(paired.a.attempts.map(({ result }) => result)).toEqual(['passed', 'failed', 'passed']);
  expect(paired.b.attempts.map(({ result, total }) => [result, total])).toEqual([['not-measured', null]]);
});

test('a long answer is cut, and its length is said', async () => {
  const a = await keep('a', [once('q', 'x'.repeat(pairedTextLength + 5))]);
  const { a: side } = await readPairedCase(a, await keep('b', [once('q', 'short')]), 'q');
  expect(side.attempts[0]).toMatchObject({ answerLength: pairedTextLength + 5 });
  expect(side.attempts[0]?.answer).toHaveLength(pairedTextLength);
});

test('a case that one of the runs does not have is refused with the name of the run', async () => {
  const a = await keep('a', [once('one', 'A')]);
  const b = await keep('b', [once('two', 'B')]);
  await expect(readPairedCase(a, b, 'one')).rejects.toMatchObject({
    code: 'case-not-found',
    message: 'Run b has no question "one".',
  });
  await expect(readPairedCase(a, b, 'two')).rejects.toMatchObject({
    code: 'case-not-found',
    message: 'Run a has no question with the content of "two".',
  });
});

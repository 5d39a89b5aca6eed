import { expect, test } from 'vitest';
import type { Message } from '../schema/message.ts';
import type { CaseUser } from '../schema/conversation.ts';
import { buildCase } from '../testing/build-records.ts';
import { contractSaying, testUserContract } from '../testing/user-contract.ts';
import { scriptedUser } from './scripted.ts';

const needs = { folder: '.', environment: {}, resolveModel: () => expect.fail('no model is used') };
const create = () => scriptedUser.definition.create({}, needs);
const script = (...turns: (string | { say: string; when: string })[]): CaseUser => ({
  script: turns.map((turn) => (typeof turn === 'string' ? { say: turn } : turn)),
});

testUserContract('scripted-user', create, {
  test,
  expect,
  part: { user: script('What is there?', contractSaying) },
});

/** All that a user says to somebody who gives these answers. */
async function sayings(user: CaseUser, ...answers: string[]): Promise<string[]> {
  const speaker = create().begin({ user, case: buildCase({ user }), attempt: 1, seed: 1 });
  const heard: Message[] = [{ role: 'user', content: 'first' }];
  const said: string[] = [];
  for (const content of answers) {
    heard.push({ role: 'assistant', content });
    const move = await speaker.next(heard, { signal: new AbortController().signal });
    if (move.type !== 'says') return [...said, move.type];
    said.push(`${move.script}: ${move.message}`);
    heard.push({ role: 'user', content: move.message });
  }
  return said;
}

test('the turns after the first are said in order, whatever is answered', async () => {
  expect(await sayings(script('first', 'second', 'third'), 'a', 'b', 'c')).toEqual([
    '1: second',
    '2: third',
    'ends',
  ]);
});

test('a turn with a condition is said only when the last answer meets it', async () => {
  const user = script(
    'first',
    { say: 'Tuesday.', when: 'which day' },
    { say: 'AB-1', when: '/code|reference/i' },
    'Thanks.',
  );
  expect(await sayings(user, 'Which day?', 'Your reference?', 'Done.', 'Bye.')).toEqual([
    '1: Tuesday.',
    '2: AB-1',
    '3: Thanks.',
    'ends',
  ]);
  expect(await sayings(user, 'Your CODE?', 'Done.', 'Bye.')).toEqual(['2: AB-1', '3: Thanks.', 'ends']);
  expect(await sayings(user, 'Which day?', 'Done.', 'Bye.')).toEqual(['1: Tuesday.', '3: Thanks.', 'ends']);
});

test('a condition of signs that mean something in patterns is a text all the same', async () => {
  const user = script('first', { say: 'Yes.', when: 'ok (y/n)?' });
  expect(await sayings(user, 'OK (Y/N)?')).toEqual(['1: Yes.']);
  expect(await sayings(user, 'ok y')).toEqual(['ends']);
});

test('a condition that would take for ever is no reason to leave a turn out: the user fails', async () => {
  const user = script('first', { say: 'second', when: '/^(a+)+$/' });
  await expect(sayings(user, `${'a'.repeat(40)}!`)).rejects.toMatchObject({ code: 'pattern-too-slow' });
});

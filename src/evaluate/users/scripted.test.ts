import { expect, test } from 'vitest';
import type { Message } from '../../core/schema/message.ts';
import type { CaseUser } from '../../core/schema/conversation.ts';
import { buildCase } from '../../library/testing/build-records.ts';
import { contractSaying, testUserContract } from '../../library/testing/user-contract.ts';
import { scriptedUser } from './scripted.ts';
import { isReleaseTested } from '../../../test/support/is-release-tested.ts';

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

/** Returns all that a user says when these answers are given. */
async function sayings(user: CaseUser, ...answers: string[]): Promise<string[]> {
  const speaker = create().begin({ user, case: buildCase({ user }), attempt: 1, seed: 1 });
  const conversation: Message[] = [{ role: 'user', content: 'first' }];
  const said: string[] = [];
  for (const content of answers) {
    conversation.push({ role: 'assistant', content });
    const move = await speaker.next(conversation, { signal: new AbortController().signal });
    if (move.type !== 'says') return [...said, move.type];
    said.push(`${move.script}: ${move.message}`);
    conversation.push({ role: 'user', content: move.message });
  }
  return said;
}

test('says the turns after the first in order, whatever is answered', async () => {
  expect(await sayings(script('first', 'second', 'third'), 'a', 'b', 'c')).toEqual([
    '1: second',
    '2: third',
    'ends',
  ]);
});

test('says a turn with a condition only when the last answer meets it', async () => {
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

test('a condition with characters that are special in patterns is plain text', async () => {
  const user = script('first', { say: 'Yes.', when: 'ok (y/n)?' });
  expect(await sayings(user, 'OK (Y/N)?')).toEqual(['1: Yes.']);
  expect(await sayings(user, 'ok y')).toEqual(['ends']);
});

test.skipIf(!isReleaseTested)(
  'a condition that takes too long is a failure of the user, not a reason to skip the turn (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const user = script('first', { say: 'second', when: '/^(a+)+$/' });
    await expect(sayings(user, `${'a'.repeat(40)}!`)).rejects.toMatchObject({ code: 'pattern-too-slow' });
  },
);

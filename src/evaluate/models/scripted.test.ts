import { expect, test } from 'vitest';
import { contractReply, testModelContract } from '../../library/testing/model-contract.ts';
import { ask, failureOf } from '../../../test/support/model-harness.ts';
import { scripted } from './scripted.ts';

type Options = Parameters<typeof scripted>[0];

function create(options: Options = {}) {
  const { definition } = scripted;
  return definition.create(definition.options.parse(options), { folder: '.', environment: {} });
}

testModelContract(
  'scripted',
  () => create({ otherwise: 'unused', rules: [{ when: '/^(.*)$/s', reply: contractReply('$1') }] }),
  {
    test,
    expect,
    without: { silence: 'it always answers', stream: 'it has no pieces' },
  },
);

test('the first rule that matches answers, with the matches of its pattern', async () => {
  const model = create({
    rules: [
      { when: '/rent of (\\w+)/i', reply: { text: 'The rent of $1 is due.', reasoning: 'looked up' } },
      { when: 'RENT', reply: 'Which rent?' },
    ],
    otherwise: { json: { ok: false } },
  });
  const say = async (content: string) => (await ask(model, { messages: [{ role: 'user', content }] })).text;
  expect(await say('the Rent of Alder')).toBe('The rent of Alder is due.');
  expect(await say('What is the rent?')).toBe('Which rent?');
  expect(await say('Hello')).toBe('{"ok":false}');
});

test('a rule can look at the system prompt, or match only after a tool', async () => {
  const model = create({
    rules: [
      { after: 'look', when: '/.+/', reply: 'It is $0.' },
      { in: 'system', when: 'judge', reply: { toolCalls: [{ name: 'look', arguments: { q: 'x' } }] } },
    ],
  });
  const system = { role: 'system' as const, content: 'You judge.' };
  const user = { role: 'user' as const, content: 'How much?' };
  const first = await ask(model, { messages: [system, user] });
  expect(first).toMatchObject({
    finishReason: 'tool-calls',
    toolCalls: [{ name: 'look', arguments: { q: 'x' } }],
  });
  const result = { role: 'tool' as const, content: '42', toolCallId: first.toolCalls[0]?.id ?? '' };
  expect((await ask(model, { messages: [system, user, first.message, result] })).text).toBe('It is 42.');
});

test('a question without a rule is a failure that quotes it', async () => {
  const failure = await failureOf(ask(create({ rules: [{ when: 'x-y-z', reply: 'no' }] })));
  expect(failure).toMatchObject({ code: 'no-rule', retryable: false });
  expect(failure.message).toContain('What is the rent?');
});

test('the model costs nothing, takes the configured time, and can be aborted', async () => {
  const model = create({ otherwise: 'yes', latencyMs: 30 });
  const reply = await ask(model);
  expect(reply.cost).toBe(0);
  expect(reply.usage).toBeUndefined();
  expect(reply.latencyMs).toBeGreaterThanOrEqual(29);
  const controller = new AbortController();
  const call = ask(create({ otherwise: 'yes', latencyMs: 60_000 }), {}, controller.signal);
  controller.abort();
  expect((await failureOf(call)).code).toBe('cancelled');
});

test('other rules are another model; another latency is not', () => {
  const { fingerprint } = create({ otherwise: 'yes' });
  expect(create({ otherwise: 'yes', latencyMs: 5 }).fingerprint).toBe(fingerprint);
  expect(create({ otherwise: 'no' }).fingerprint).not.toBe(fingerprint);
});

test('an invalid pattern is refused', () => {
  expect(() => create({ rules: [{ when: '/(/', reply: 'x' }] })).toThrow(
    expect.objectContaining({ code: 'model-invalid' }),
  );
});

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ScriptedReply } from '../../library/testing/index.ts';
import { type ModelServer, startModelServer } from '../../library/testing/model-server/model-server.ts';
import { modelAt, prepare, protocols, requestOf, unbounded } from '../../../test/support/prepare-target.ts';
import {
  contractAnswer,
  contractScenarios,
  largeAnswer,
  nulAnswer,
  testTargetContract,
} from '../../library/testing/target-contract.ts';
import { fullContext } from './full-context.ts';
import type { TargetNeeds } from './target.ts';

type Options = Omit<Parameters<typeof fullContext>[0], 'model' | 'knowledge'>;

const knowledge = 'The shop opens at nine. It closes at six.';

function create(server: ModelServer, needs: TargetNeeds, options: Options = {}, protocol = protocols[0]) {
  const { definition } = fullContext;
  const given = { model: modelAt(server.url, protocol), knowledge: 'knowledge.md', ...options };
  return definition.create(definition.options.parse(given), needs);
}

const contractServer = await startModelServer(({ prompt }): ScriptedReply => {
  const question = prompt.slice(prompt.lastIndexOf('Question: ') + 'Question: '.length);
  if (question === contractScenarios.silence) return { fault: 'hang' };
  if (question === contractScenarios.null) return '';
  if (question === contractScenarios.large) return largeAnswer;
  if (question === contractScenarios.nul) return nulAnswer;
  if (question === contractScenarios.html) return { fault: 'raw', body: '<html><body>Gateway</body></html>' };
  return contractAnswer(question);
});
const contractNeeds = await prepare({ 'knowledge.md': knowledge });
afterAll(async () => {
  await contractNeeds[Symbol.asyncDispose]();
  await contractServer.close();
});
testTargetContract('full-context', () => create(contractServer, contractNeeds), {
  test,
  expect,
  without: {
    'not-a-number': 'a model answers in text',
    'invalid-utf8': 'the client of the model decodes its reply',
  },
});

test.each(protocols)(
  '%s: the model receives the knowledge and the question, and the trial its reply',
  async (protocol) => {
    const usage = { inputTokens: 100, outputTokens: 7 };
    await using server = await startModelServer({
      text: 'At nine.',
      reasoning: 'It says so.',
      reasoningField: 'think',
      usage,
    });
    await using needs = await prepare({ 'knowledge.md': knowledge });
    const target = create(server, needs, { temperature: 0, maxTokens: 50 }, protocol);
    await target.open?.();
    const reply = await target.call(requestOf('When does it open?'), unbounded);
    expect(reply).toMatchObject({
      answer: 'At nine.',
      toolCalls: [],
      documents: [{ id: 'knowledge.md', text: knowledge, given: true }],
      usage,
      retries: 0,
      latency: { totalMs: expect.any(Number), stepsMs: [expect.any(Number)] },
    });
    expect(reply).not.toHaveProperty('cost');
    expect(reply.transcript).toEqual([
      {
        role: 'user',
        content: expect.stringContaining("[knowledge.md, 41 characters: see the attempt's document]"),
      },
      { role: 'assistant', content: 'At nine.', reasoning: 'It says so.' },
    ]);
    const sent = server.requests[0]?.prompt ?? '';
    expect(sent).toContain(knowledge);
    expect(sent.endsWith('Question: When does it open?')).toBe(true);
    expect(sent).toMatch(/answer the question directly/i);
    expect(sent).toMatch(/say that you do\s+not know/);
  },
);

test('the sampling of the target and the seed of the trial go to the model', async () => {
  await using server = await startModelServer('ok');
  await using needs = await prepare({ 'knowledge.md': knowledge });
  await create(server, needs, { temperature: 0.5, maxTokens: 50 }).call(requestOf('q'), unbounded);
  await create(server, needs, { seed: false }).call(requestOf('q'), unbounded);
  expect(server.requests[0]?.body).toMatchObject({
    temperature: 0.5,
    max_tokens: 50,
    seed: 3_000_000_001 & 0x7fffffff,
  });
  expect(server.requests[1]?.body).not.toHaveProperty('seed');
});

test("a seed in the model's own options precedes the trial's", async () => {
  await using server = await startModelServer('ok');
  await using needs = await prepare({ 'knowledge.md': knowledge });
  const { definition } = fullContext;
  const given = { model: modelAt(server.url, 'openai-chat', { seed: 5 }), knowledge: 'knowledge.md' };
  await definition.create(definition.options.parse(given), needs).call(requestOf('q'), unbounded);
  expect(server.requests[0]?.body['seed']).toBe(5);
});

test('earlier messages of a case stay before the prompt', async () => {
  await using server = await startModelServer('At six.');
  await using needs = await prepare({
    'knowledge.md': knowledge,
    'prompt.md': 'K: {{knowledge}} Q: {{question}}\n',
  });
  const target = create(server, needs, { prompt: { path: 'prompt.md' } });
  const messages = [
    { role: 'user' as const, content: 'When does it open?' },
    { role: 'assistant' as const, content: 'At nine.' },
    { role: 'user' as const, content: 'And close?' },
  ];
  const reply = await target.call(requestOf('And close?', { messages }), unbounded);
  expect(server.requests[0]?.body['messages']).toEqual([
    ...messages.slice(0, 2),
    { role: 'user', content: `K: ${knowledge} Q: And close?` },
  ]);
  expect(reply.transcript?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
});

test('the identity changes with the prompt, the knowledge, the model and the parameters, and with nothing else', async () => {
  await using server = await startModelServer('ok');
  await using needs = await prepare({ 'knowledge.md': knowledge, 'prompt.md': '{{knowledge}} {{question}}' });
  const prompt = { path: 'prompt.md' };
  const identify = async (options: Options) =>
    JSON.stringify(await create(server, needs, options).identity?.());
  const before = await identify({ prompt });
  expect(await identify({ prompt: '{{knowledge}} {{question}}' })).toBe(before);
  expect(await identify({ prompt, temperature: 0 })).not.toBe(before);
  await writeFile(path.join(needs.folder, 'prompt.md'), '{{knowledge}} {{question}}!');
  const edited = await identify({ prompt });
  expect(edited).not.toBe(before);
  await writeFile(path.join(needs.folder, 'knowledge.md'), `${knowledge} `);
  expect(await identify({ prompt })).not.toBe(edited);
});

test.each<[Options, string]>([
  [{ prompt: 'Answer {{question}}' }, '`prompt` does not contain {{knowledge}}'],
  [{ prompt: 'Read {{knowledge}}' }, '`prompt` does not contain {{question}}'],
  [{ prompt: 'knowledge.md' }, '`prompt` is the text "knowledge.md", which is a file'],
  [{ prompt: { path: 'knowlege.md' } }, 'There is no file knowlege.md. Did you mean "knowledge.md"?'],
  [{ prompt: { path: 'empty.md' } }, 'empty.md, the `prompt`, is empty'],
  [{ variables: { question: 'x' } }, '`variables.question` cannot be a variable of your own'],
])('%j is refused before anything is called', async (options, message) => {
  await using server = await startModelServer('ok');
  await using needs = await prepare({ 'knowledge.md': knowledge, 'empty.md': ' \n' });
  await expect(create(server, needs, options).identity?.()).rejects.toThrow(message);
  expect(server.requests).toHaveLength(0);
});

test('a permanent failure of a model keeps its code, and the run does not ask again', async () => {
  await using server = await startModelServer({ fault: 'error', status: 401 });
  await using needs = await prepare({ 'knowledge.md': knowledge });
  await expect(create(server, needs).call(requestOf('q'), unbounded)).rejects.toMatchObject({
    name: 'TargetFailure',
    code: 'unauthorized',
    retryable: false,
    partial: { transcript: [{ role: 'user' }], retries: 0 },
  });
});

test('repeated requests are counted, and their time is not part of the latency', async () => {
  await using server = await startModelServer([{ fault: 'error', status: 500, delayMs: 1500 }, 'ok']);
  await using needs = await prepare({ 'knowledge.md': knowledge });
  const { retries, latency } = await create(server, needs).call(requestOf('q'), unbounded);
  expect(retries).toBe(1);
  expect(latency?.totalMs).toBeLessThan(1500);
});

test('an answer that was cut off is kept, and the trial says so', async () => {
  await using server = await startModelServer({ text: 'At ni', finishReason: 'length' });
  await using needs = await prepare({ 'knowledge.md': knowledge });
  expect(await create(server, needs).call(requestOf('q'), unbounded)).toMatchObject({
    answer: 'At ni',
    logs: 'The model was cut off at its limit of tokens.',
  });
});

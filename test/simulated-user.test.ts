import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { readLatestResults } from './stored-run.ts';
import { serve } from './support/model-harness.ts';

const turn = (message: string, status: string) =>
  JSON.stringify({ reason: 'So it stands.', status, message });

test('a model of the Responses API plays the user of a conversation to its goal', async () => {
  let moves = 0;
  const server = await serve(({ system, prompt }) => {
    if (!system.includes('You play a user')) return `You said: ${prompt}`;
    moves += 1;
    return moves < 3 ? turn(`I want room ${moves}.`, 'goes-on') : turn('', 'goal-met');
  });
  const responses = { use: 'openai-responses', model: 'user-r', baseUrl: server.url };
  const cwd = await temporaryFolder();
  await writeFile(path.join(cwd, 'golden.jsonl'), '{"id":"book","user":{"goal":"Book a room."}}\n');
  const config = {
    dataset: 'golden.jsonl',
    targets: [{ use: 'chat', name: 'bot', model: { ...responses, model: 'bot-r' } }],
    user: responses,
    metrics: ['latency'],
    scorecard: null,
  };
  await writeFile(path.join(cwd, 'touchstone.config.yaml'), JSON.stringify(config));
  const ended = await touchstone(['run'], { cwd });
  expect(ended).toMatchObject({ code: 0 });
  const [result] = await readLatestResults(cwd);
  expect(result?.trial).toMatchObject({
    status: 'completed',
    answer: 'You said: I want room 2.',
    conversation: { ended: 'goal-met' },
  });
  expect(new Set(server.requests.map(({ protocol }) => protocol))).toEqual(new Set(['openai-responses']));
});

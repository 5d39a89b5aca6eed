import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importFiles, linesOf } from '../../../../../test/support/import-files.ts';
import { writeProject } from '../../../../library/api/import-project.ts';
import { run } from '../../../../library/api/runs/run.ts';
import { createMemoryStore } from '../../../../../test/support/memory-store.ts';
import { startModelServer } from '../../../../library/testing/model-server/model-server.ts';

const prompt = `[{% for turn in _conversation %}
{"role": "user", "content": "{{turn.input}}"}, {"role": "assistant", "content": "{{turn.output}}"},
{% endfor %}{"role": "user", "content": "{{question}}"}]`;

const testOf = (question: string, wanted: string, metadata: object = {}) => ({
  vars: { question },
  metadata,
  assert: [{ type: 'contains', value: wanted }],
});

const configOf = (tests: object[], parts: object = {}) => ({
  'promptfooconfig.json': {
    prompts: [prompt],
    providers: [{ id: 'openai:test', config: { apiBaseUrl: 'http://127.0.0.1:1/v1' } }],
    tests,
    ...parts,
  },
});

const conversation = { conversationId: 'names' };
const tests = [
  testOf('I am Ann.', 'Hello', conversation),
  testOf('Alone?', 'yes', { conversationId: 'other' }),
  testOf('Who am I?', 'Ann', conversation),
];

test('tests of one conversation are turns of a case, and the target is sent the turns before', async () => {
  await using server = await startModelServer(({ body, prompt: said }) => {
    if (said === 'Who am I?') return JSON.stringify(body['messages']).includes('I am Ann.') ? 'Ann.' : 'Who?';
    return said === 'Alone?' ? 'yes' : 'Hello';
  });
  const config = configOf(tests, {
    providers: [{ id: 'openai:test', config: { apiBaseUrl: server.url } }],
  });
  const project = await importFiles(config);
  expect(project.record.counts.cases).toBe(2);
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'turns-'));
  writeProject(project, { to: folder.path });
  const store = createMemoryStore();
  const report = await run(folder.path, { store });
  const results = await Array.fromAsync(store.readResults(report.run.id));
  expect(
    results.map(({ trial, scorecard }) => [trial.caseId, trial.answer, scorecard?.total, scorecard?.passed]),
  ).toEqual([
    ['names', 'Ann.', 1, true],
    ['other', 'yes', 1, true],
  ]);
  expect(server.requests).toHaveLength(3);
});

test('tests of a conversation that cannot be joined stay apart, with the reason', async () => {
  const reasonsOf = async (config: Record<string, unknown>) => {
    const project = await importFiles(config);
    expect(linesOf(project, 'golden.jsonl').every(({ input }) => typeof input === 'string')).toBe(true);
    const left = project.record.ledger.filter(({ part }) => part === 'test of a conversation');
    return left.map(({ fate, count, note }) => [fate, count, note?.split('. ')[0]]);
  };
  expect(await reasonsOf(configOf(tests, { prompts: ['{{question}}'] }))).toEqual([
    ['left-out', 3, 'Its prompt does not repeat the turns before'],
  ]);
  const other = testOf('Who?', 'Ann', { ...conversation, mood: 'bad' });
  expect(await reasonsOf(configOf([...tests.slice(0, 1), other]))).toEqual([
    ['left-out', 2, 'Tests of one conversation have different variables or metadata'],
  ]);
  expect(await reasonsOf(configOf([...tests, testOf('Alone?', 'yes')]))).toEqual([
    ['left-out', 3, 'Other tests are no conversations'],
  ]);
  expect(await reasonsOf(configOf(tests, { providers: ['file://bot.js'] }))).toEqual([
    ['left-out', 3, 'Not every target is a chat model, which is sent the turns before'],
  ]);
});

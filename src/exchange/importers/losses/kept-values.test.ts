import { expect, test } from 'vitest';
import { importFiles } from '../../../../test/support/import-files.ts';
import { Ledger } from '../ledger.ts';
import { WrittenValues } from './find-losses.ts';

function fatesOf(claims: readonly (readonly [part: string, value: unknown])[], written: readonly unknown[]) {
  const ledger = new Ledger();
  for (const [part, value] of claims) ledger.keep(part, value, 'here');
  const values = new WrittenValues(ledger.claims().map(({ value }) => value));
  values.add(written);
  ledger.settle((value) => values.holds(value));
  return Object.fromEntries(ledger.entries().map(({ part, fate }) => [part, fate]));
}

test('a value that is said to be kept counts as kept only when all of it is written', () => {
  const written = [
    { metadata: { tags: ['a', 'b'], args: { split: 'dev', limit: 5 } } },
    { source: { name: 'x' } },
  ];
  expect(
    fatesOf(
      [
        ['a list', { tags: ['a', 'b'] }],
        ['an object', { args: { split: 'dev', limit: 5 } }],
        ['a plain value', 'x'],
        ['a value under another name', { shard: 'dev' }],
        ['a part of it', { args: { split: 'dev', limit: 6 } }],
        ['nothing of it', 'gone'],
        ['another type', { limit: '5' }],
      ],
      written,
    ),
  ).toEqual({
    'a list': 'metadata',
    'an object': 'metadata',
    'a plain value': 'metadata',
    'a value under another name': 'left-out',
    'a part of it': 'left-out',
    'nothing of it': 'left-out',
    'another type': 'left-out',
  });
});

const log = (facts: object) => ({
  version: 2,
  status: 'success',
  eval: {
    task: 'prices',
    model: 'mockllm/model',
    created: '2026-01-02T03:04:05+00:00',
    dataset: {},
    config: {},
    ...facts,
  },
  samples: [
    {
      id: 1,
      epoch: 1,
      input: 'q',
      target: 'a',
      messages: [],
      output: { completion: 'a', choices: [] },
      scores: {},
    },
  ],
});

test('the facts of an evaluation of Inspect are in the project, as the ledger says', async () => {
  const facts = {
    task_args: { difficulty: 'hard' },
    model_args: { device: 'cuda:1' },
    model_generate_config: { temperature: 0.25 },
    metadata: { owner: 'the price team' },
    tags: ['nightly'],
    revision: { type: 'git', commit: 'abc1234' },
  };
  const { record, files } = await importFiles({ 'log.json': log(facts) });
  const kept = record.ledger.filter(({ fate }) => fate === 'metadata').map(({ part }) => part);
  expect(kept).toEqual(expect.arrayContaining(Object.keys(facts).map((name) => `eval.${name}`)));
  expect(JSON.parse(files['import.json'] ?? '').metadata).toEqual(facts);
});

test('arguments with a key are left out and said so, and the key is written nowhere', async () => {
  const key = `sk-${'a1B2'.repeat(8)}`;
  const { record, files } = await importFiles({
    'log.json': log({ model_args: { api_key: key }, tags: ['nightly'] }),
  });
  expect(Object.values(files).join('')).not.toContain(key);
  expect(record.ledger).toContainEqual(
    expect.objectContaining({
      fate: 'left-out',
      part: 'eval.model_args',
      note: expect.stringContaining('secret'),
    }),
  );
  expect(record.metadata).toEqual({ tags: ['nightly'] });
});

import { expect, test } from 'vitest';
import { askingArguments } from '../../../cli/running/further-commands.ts';
import { requireOwnCommand } from './own-command.ts';

const folder = '/home/ann/project';

test('every command line that a run records is its own', () => {
  const whole = askingArguments('bots/strict.yaml', {
    dataset: ['golden/*.jsonl', 'more.csv'],
    datasetFormat: 'csv',
    metadata: ['owner'],
    skipDuplicates: true,
    allowPrivate: true,
    attempts: 5,
    passes: '4 of 5',
    curtail: false,
    judgeSamples: 3,
    faults: ['all'],
    perturb: ['typos'],
    concurrency: 2,
    timeLimit: 1000,
  });
  for (const command of [whole, ['run'], ['run', '.'], ['run', `${folder}/bots`], undefined])
    expect(() => requireOwnCommand({ id: 'r1', command }, folder)).not.toThrow();
});

test.each([
  [['run', '/tmp/evil.config.ts']],
  [['run', '../evil']],
  [['run', '--dataset', '/etc/passwd']],
  [['run', '--otel', 'http://evil.example']],
  [['run', '--otel=http://evil.example']],
  [['run', '-o', 'touchstone.config.ts']],
  [['run', '--queue', 'redis://evil.example']],
  [['delete', 'latest']],
])('%j, of a run that was imported from someone else, is refused', (command) => {
  expect(() => requireOwnCommand({ id: 'r1', command }, folder)).toThrow(
    expect.objectContaining({ code: 'asking-refused' }),
  );
});

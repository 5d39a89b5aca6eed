import { expect, test } from 'vitest';
import { buildRun } from '../../../../library/testing/build-records.ts';
import { askAgainCommand, askAgainSchema } from './ask-again.ts';

const [target] = buildRun().targets;
if (target === undefined) throw new Error('The run has no target.');
const condition = { type: 'fault', kind: 'timeout', of: 'v1' } as const;
const targets = [
  { ...target, name: 'v1' },
  { ...target, name: 'v1 timeout', condition },
  { ...target, name: 'v2' },
];

test.each([
  [{}, { ids: ['a'], targets: ['v1', 'v2'] }, 'touchstone run --filter id=a'],
  [{}, { ids: ['a', 'b|c'], targets: ['v2'] }, `touchstone run --target v2 --filter 'id=a|"b|c"'`],
  // A target under a condition is asked with the one that it is compared with.
  [{}, { ids: ['a'], targets: ['v1 timeout'] }, 'touchstone run --target v1 --filter id=a'],
  [
    { command: ['run', 'my bot.yaml', '--attempts', '5'] },
    { ids: ['a'], targets: ['v1', 'v2'], maxCost: 0.5 },
    "touchstone run 'my bot.yaml' --attempts 5 --filter id=a --max-cost 0.5",
  ],
])('of a run %j, %j are asked by one command', (run, asked, command) => {
  expect(askAgainCommand({ run: { targets, ...run } }, asked)).toBe(command);
  const stored = askAgainCommand({ run: { targets, ...run }, storeFolder: 'ci/.touchstone' }, asked);
  expect(stored).toBe(`${command} --store ci/.touchstone`);
});

test('more ids than a command line takes are refused', () => {
  const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `${index}${'é'.repeat(400)}`);
  const parse = (count: number) => askAgainSchema.safeParse({ ids: idsOf(count), targets: ['v1'] }).success;
  expect(parse(100)).toBe(true);
  expect(parse(200)).toBe(false);
});

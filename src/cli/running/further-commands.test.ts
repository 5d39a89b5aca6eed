import { expect, test } from 'vitest';
import { conditionsOf } from './condition-flags.ts';
import { againCommand, askingArguments, resumeCommand } from './further-commands.ts';

const id = '20260102-030405-abcd';

test.each([
  [['run'], 'touchstone run --resume ID'],
  [['run', 'examples/bot', '--limit', '3'], 'touchstone run examples/bot --limit 3 --resume ID'],
  [['run', '--resume'], 'touchstone run --resume ID'],
  [['run', '--resume', 'abcd', '--json'], 'touchstone run --json --resume ID'],
  [['run', '--resume=abcd', '--json'], 'touchstone run --json --resume ID'],
  [['run', '--filter', 'id=tax-*|lease'], "touchstone run --filter 'id=tax-*|lease' --resume ID"],
  [['run', "it's here"], `touchstone run 'it'\\''s here' --resume ID`],
])('%j is resumed by %s', (args, command) => {
  expect(resumeCommand(args, id)).toBe(command.replace('ID', id));
});

test.each([
  [['run'], 'touchstone run --failed'],
  [
    ['run', 'bot', '--dataset', 'q.csv', '--name', 'v7', '--output', 'report.html'],
    'touchstone run bot --dataset q.csv --failed',
  ],
  [['run', '--failed', 'abcd', '--note=after the change', '--json'], 'touchstone run --json --failed'],
])('after %j, what did not pass is asked again by %s', (args, command) => {
  expect(againCommand(args)).toBe(command);
});

test.each([
  [undefined, {}, ['run']],
  [
    'bots/strict.yaml',
    { dataset: ['a b.csv'], filter: ['id=1'], limit: 3, maxCost: 1 },
    ['run', 'bots/strict.yaml', '--dataset', 'a b.csv'],
  ],
  [
    undefined,
    { attempts: 5, passes: '4 of 5', faults: ['all'] },
    ['run', '--attempts', '5', '--passes', '4 of 5', '--faults', 'all'],
  ],
  [undefined, { dataset: ['-'] }, undefined],
])('of %j with %j, questions are asked again by %j', (config, flags, args) => {
  expect(askingArguments(config, flags)).toEqual(args);
});

test('kinds are separated by commas', () => {
  expect(conditionsOf({ faults: ['timeout, empty@0.5', 'stale'] })).toEqual({
    faults: ['timeout', 'empty@0.5', 'stale'],
  });
  expect(conditionsOf({ perturb: ['case:upper'] })).toEqual({ perturb: ['case:upper'] });
  expect(conditionsOf({})).toEqual({});
});

test.each([
  [{ faults: ['timeot'] }, '--faults: there is no fault "timeot". Did you mean "timeout"?'],
  [{ perturb: ['typos,'] }, '--perturb: "": write a kind'],
  [{ faults: ['timeout@5'] }, '--faults: "timeout@5": the rate after the @'],
])('%j is refused with the name of the flag', (flags, message) => {
  expect(() => conditionsOf(flags)).toThrow(message);
});

import { expect, test } from 'vitest';
import { conditionsOf, resumeCommand } from './run.ts';

const id = '20260102-030405-abcd';

test.each([
  [['run'], 'touchstone run --resume ID'],
  [['run', 'examples/bot', '--limit', '3'], 'touchstone run examples/bot --limit 3 --resume ID'],
  [['run', '--resume'], 'touchstone run --resume ID'],
  [['run', '--resume', 'abcd', '--json'], 'touchstone run --json --resume ID'],
  [['run', '--resume=abcd', '--json'], 'touchstone run --json --resume ID'],
  [['run', '--filter', 'id=tax-*|lease'], "touchstone run --filter 'id=tax-*|lease' --resume ID"],
  [['run', "it's here"], `touchstone run 'it'\\''s here' --resume ID`],
])('%j goes on with %s', (args, command) => {
  expect(resumeCommand(args, id)).toBe(command.replace('ID', id));
});

test('kinds stand with commas between them, and flags may be given again', () => {
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
])('%j is refused in the words of the command line', (flags, words) => {
  expect(() => conditionsOf(flags)).toThrow(words);
});

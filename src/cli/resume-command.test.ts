import { expect, test } from 'vitest';
import { resumeCommand } from './resume-command.ts';

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

import { expect, test } from 'vitest';
import { splitCommand } from './split-command.ts';

test.each([
  ['python3 bot.py', ['python3', 'bot.py']],
  ['  node   "my bot.mjs"  --x=\'a b\' ', ['node', 'my bot.mjs', '--x=a b']],
  ['bot "say \\"hi\\"" \'it\\s\'', ['bot', 'say "hi"', 'it\\s']],
  ['bot my\\ file C:\\bots\\run', ['bot', 'my file', 'C:\\bots\\run']],
  ['bot ""', ['bot', '']],
  ['sh -c "echo a | cat > b"', ['sh', '-c', 'echo a | cat > b']],
  ['bot --ask {{input}}', ['bot', '--ask', '{{input}}']],
  ['bot a"b c"d', ['bot', 'ab cd']],
])('%j is split as expected', (command, words) => {
  expect(splitCommand(command)).toEqual(words);
});

test.each([
  ['bot | tee log', 'no shell'],
  ['cd bots && python3 bot.py', 'no shell'],
  ['bot "never closed', 'is never closed'],
  ["bot 'never closed", 'is never closed'],
  ['   ', 'empty'],
])('%j is refused', (command, reason) => {
  expect(() => splitCommand(command)).toThrow(
    expect.objectContaining({ code: 'target-invalid', message: expect.stringContaining(reason) }),
  );
});

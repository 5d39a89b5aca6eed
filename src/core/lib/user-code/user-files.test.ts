import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { hashModule } from './user-files.ts';

test('a program is the same with the line ends of Windows, and another one with other words', () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'touchstone-lines-'));
  const hashOf = (text: string): string => {
    const file = path.join(folder.path, 'bot.py');
    writeFileSync(file, text);
    return hashModule(file);
  };
  const hash = hashOf('import sys\nprint("a")\n');
  expect(hashOf('import sys\r\nprint("a")\r\n')).toBe(hash);
  expect(hashOf('import sys\nprint("b")\n')).not.toBe(hash);
});

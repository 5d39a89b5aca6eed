import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone } from './run-cli.ts';

test('the recording in README.md shows what its commands print', async () => {
  const file = path.resolve(import.meta.dirname, '..', 'site', 'pictures', 'first-minutes.cast');
  const [, ...events] = readFileSync(file, 'utf8').trim().split('\n');
  const typed = events.map((line) => (JSON.parse(line) as [number, string, string])[2]).join('');
  const recorded = stripVTControlCharacters(typed).replaceAll('\r', '');
  const commands = Array.from(recorded.matchAll(/^\$ (?:cd (\S+) && )?touchstone (.+)$/gm));
  expect(commands).toHaveLength(3);
  let cwd = await temporaryFolder();
  for (const [, folder = '', words = ''] of commands) {
    cwd = path.join(cwd, folder);
    const { code, stdout } = await touchstone(words.split(' '), { cwd });
    expect(code).toBe(0);
    // The headline, and the counts below it.
    if (words === 'run') expect(recorded).toContain(stdout.split('\n').slice(0, 2).join('\n'));
  }
});

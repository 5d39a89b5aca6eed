import { expect, test } from 'vitest';
import { howToSet } from './next-step.ts';

test('a key is set as the shell of the system does it', () => {
  expect(howToSet('OPENAI_API_KEY', 'linux')).toBe('Set its key first: export OPENAI_API_KEY=…');
  expect(howToSet('OPENAI_API_KEY', 'win32')).not.toContain('export');
});

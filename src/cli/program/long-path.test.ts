import { expect, test } from 'vitest';
import { refuseLongPath } from './long-path.ts';

test('a path that Windows cannot use is refused there, and nowhere else', () => {
  const folder = `/${'deep/'.repeat(48)}`;
  expect(() => refuseLongPath(folder, 'linux')).not.toThrow();
  expect(() => refuseLongPath(folder.slice(0, 200), 'win32')).not.toThrow();
  expect(() => refuseLongPath(`${folder}er`, 'win32')).toThrow('The path of the folder has 243 characters');
});

import { expect, test } from 'vitest';
import { moveFile, moveFileSync } from './replace-file.ts';

/** A way to move a file that fails so many times. */
function failing(times: number, code: string) {
  let tries = 0;
  const move = async () => {
    tries += 1;
    if (tries <= times) throw Object.assign(new Error(`${code}: the file is held`), { code });
  };
  return { move, tries: () => tries };
}

test('on Windows, a file that another program holds for a moment is moved as soon as that lets go; elsewhere it fails at once', async () => {
  for (const code of ['EPERM', 'EBUSY', 'EACCES']) {
    const held = failing(4, code);
    await moveFile('a', 'b', { platform: 'win32', move: held.move });
    expect(held.tries()).toBe(5);
    let tries = 0;
    const move = () => {
      tries += 1;
      if (tries <= 2) throw Object.assign(new Error(code), { code });
    };
    moveFileSync('a', 'b', { platform: 'win32', move });
    expect(tries).toBe(3);
    const elsewhere = failing(1, code);
    await expect(moveFile('a', 'b', { platform: 'linux', move: elsewhere.move })).rejects.toThrow(code);
  }
  const full = failing(1, 'ENOSPC');
  await expect(moveFile('a', 'b', { platform: 'win32', move: full.move })).rejects.toThrow('ENOSPC');
  const stuck = failing(100, 'EPERM');
  await expect(moveFile('a', 'b', { platform: 'win32', move: stuck.move })).rejects.toThrow('EPERM');
  expect(stuck.tries()).toBe(10);
});

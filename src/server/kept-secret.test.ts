import { chmodSync, mkdtempSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { keptSecret } from './kept-secret.ts';

const newFolder = () => path.join(mkdtempSync(path.join(tmpdir(), 'touchstone-secret-')), 'view');

test('a server over the same store at the same port has the same secret after a restart, and no other has it', () => {
  const folder = newFolder();
  const secret = keptSecret(7357, '/a/.touchstone', folder);
  expect(keptSecret(7357, '/a/.touchstone', folder)).toBe(secret);
  expect(keptSecret(7358, '/a/.touchstone', folder)).not.toBe(secret);
  expect(keptSecret(7357, '/b/.touchstone', folder)).not.toBe(secret);
  expect(keptSecret(7357, '/a/.touchstone', newFolder())).not.toBe(secret);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(folder, 'secret')).mode & 0o777).toBe(0o600);
});

test('what others can enter or read, or lead elsewhere, keeps no secret', () => {
  const open = newFolder();
  const first = keptSecret(1, 's', open);
  chmodSync(open, 0o755);
  expect(keptSecret(1, 's', open)).not.toBe(first);
  chmodSync(open, 0o700);
  chmodSync(path.join(open, 'secret'), 0o644);
  expect(keptSecret(1, 's', open)).not.toBe(first);
  const real = newFolder();
  const there = keptSecret(1, 's', real);
  const link = newFolder();
  symlinkSync(real, link);
  expect(keptSecret(1, 's', link)).not.toBe(there);
});

test('a secret is replaced after a week', () => {
  const folder = newFolder();
  const secret = keptSecret(1, 's', folder);
  const before = new Date(Date.now() - 8 * 86_400_000);
  utimesSync(path.join(folder, 'secret'), before, before);
  expect(keptSecret(1, 's', folder)).not.toBe(secret);
});

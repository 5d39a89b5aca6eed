import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { acceptInvitation, checkPassword, invite, setRole } from './accounts.ts';

async function invited() {
  const accounts = createMemoryStore().accounts;
  await setRole(accounts, { name: 'anna@example.com', project: 'main', role: 'viewer' });
  return { accounts, secret: await invite(accounts, 'anna@example.com') };
}

test('a password of many characters with two UTF-16 units each signs in', async () => {
  const { accounts, secret } = await invited();
  const password = '🔑'.repeat(1000);
  await acceptInvitation(accounts, { secret, password }, async () => {});
  const person = await checkPassword(accounts, { name: 'anna@example.com', password });
  expect(person?.name).toBe('anna@example.com');
});

test('a password that is too long is refused as too long', async () => {
  const { accounts, secret } = await invited();
  await expect(
    acceptInvitation(accounts, { secret, password: 'a'.repeat(1001) }, async () => {}),
  ).rejects.toThrow('has 1001 characters; at most 1000 are allowed');
});

import { expect, test } from 'vitest';
import { addPerson } from '../../privacy/accounts/manage.ts';
import { invite } from '../../privacy/accounts/accounts.ts';
import { hashPassword, isPassword, requireTurn } from '../../privacy/accounts/secrets.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { createTeamApp } from './serve-team.ts';
import { usualRates } from './shared-rates.ts';

const origin = 'https://evals.example.org';
const password = 'correct horse battery';

/** Creates a server behind a proxy, with a person who has a password. */
async function createServer(rates = usualRates) {
  const home = createMemoryStore();
  const faults: unknown[] = [];
  const app = createTeamApp({
    assets: { document: '<!doctype html><title>Touchstone</title>', files: new Map() },
    home,
    openProject: async () => home,
    origin,
    isBehindProxy: true,
    rates,
    onFault: (fault) => faults.push(fault),
  });
  const post = async (path: string, fields: Record<string, string>, address = '192.0.2.1') => {
    const body = new URLSearchParams(fields).toString();
    const headers = {
      host: 'evals.example.org',
      origin,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
      'x-forwarded-for': address,
    };
    return await app.request(`${origin}${path}`, { method: 'POST', body, headers });
  };
  const get = async (path: string) =>
    await app.request(`${origin}${path}`, { headers: { host: 'evals.example.org' } });
  await addPerson(
    home.accounts,
    { who: 'test', address: null, project: 'main' },
    { name: 'ann', role: 'admin' },
  );
  const secret = await invite(home.accounts, 'ann');
  return { home, faults, post, get, secret };
}

const away = async () =>
  await Promise.reject(
    new TouchstoneError(
      'store-unreadable',
      'The store postgres://touchstone@10.0.0.7/evals cannot be reached.',
    ),
  );

test('one address that tries without end does not shut a person out', async () => {
  const { post, secret } = await createServer();
  expect((await post(`/invitations/${secret}`, { password })).status).toBe(303);
  const statuses: number[] = [];
  for (let count = 0; count < 30; count += 1)
    statuses.push((await post('/sign-in', { name: 'ann', password: 'wrong' }, '203.0.113.9')).status);
  expect(statuses.filter((status) => status === 403)).toHaveLength(5);
  expect((await post('/sign-in', { name: 'ann', password })).status).toBe(303);
});

test('for one account, 25 attempts in a minute are answered, from whatever addresses', async () => {
  const { post } = await createServer();
  const statuses: number[] = [];
  for (let count = 0; count < 26; count += 1)
    statuses.push((await post('/sign-in', { name: 'ann', password: 'wrong' }, `203.0.113.${count}`)).status);
  expect(statuses.lastIndexOf(403)).toBe(24);
  expect(statuses[25]).toBe(429);
});

test('no password is hashed for an invitation that there is not', async () => {
  const { post } = await createServer();
  const before = process.cpuUsage().user;
  for (let count = 0; count < 50; count += 1) await post(`/invitations/${count}`, { password });
  const ofStrangers = process.cpuUsage(undefined).user - before;
  const start = process.cpuUsage().user;
  for (let count = 0; count < 3; count += 1) await hashPassword(password);
  expect(ofStrangers / 50).toBeLessThan((process.cpuUsage().user - start) / 3);
});

test('while too many people sign in, others get 503 with Retry-After, no attempt counts, and those that wait get their turn', async () => {
  const { post, secret } = await createServer();
  await post(`/invitations/${secret}`, { password });
  const kept = await hashPassword(password);
  const busy = Promise.allSettled(Array.from({ length: 45 }, async () => await isPassword(password, kept)));
  for (let count = 0; count < 7; count += 1) {
    const answer = await post('/sign-in', { name: 'ann', password });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  }
  const results = await busy;
  const refused = results.filter((each) => each.status === 'rejected');
  expect(refused.length).toBeGreaterThan(5);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'server-busy' });
  const rightOnes = results.filter((each) => each.status === 'fulfilled' && each.value);
  expect(rightOnes.length).toBeGreaterThanOrEqual(33);
  requireTurn();
  expect((await post('/sign-in', { name: 'ann', password })).status).toBe(303);
});

test('while the audit log cannot be written, nobody enters, and the page says why', async () => {
  const { home, post, faults, secret } = await createServer();
  const { addEntry } = home.accounts;
  const accounts = home.accounts as { addEntry: typeof addEntry };
  const fault = new Error('disk full');
  accounts.addEntry = async () => await Promise.reject(fault);
  const invited = await post(`/invitations/${secret}`, { password });
  expect([invited.status, invited.headers.get('set-cookie')]).toEqual([503, null]);
  accounts.addEntry = addEntry;
  // It was not used up.
  expect((await post(`/invitations/${secret}`, { password })).status).toBe(303);
  accounts.addEntry = async () => await Promise.reject(fault);
  const answer = await post('/sign-in', { name: 'ann', password });
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([503, null]);
  const page = await answer.text();
  expect(page).toContain('the server cannot write its audit log');
  expect(page).not.toContain('disk full');
  expect(faults).toContain(fault);
});

test.each(['/healthz', '/sign-in', '/api/runs', '/account', '/invitations/x', '/runs'])(
  'a stranger at %s does not learn where the database is, which standard error says',
  async (path) => {
    const { home, get, faults } = await createServer();
    Object.assign(home, { exists: away });
    Object.assign(home.shared, { change: away });
    const answer = await get(path);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.text()).not.toContain('10.0.0.7');
    expect(String(faults[0])).toContain('10.0.0.7');
  },
);

test('requests of strangers are limited by their address, those for pages without a session too', async () => {
  const { get } = await createServer({ ...usualRates, api: 1 });
  const answers = await Promise.all(
    Array.from({ length: 300 }, async (_, index) => (await get(`/invitations/${index}`)).status),
  );
  expect(answers).toContain(429);
});

import { expect, test } from 'vitest';
import { z } from 'zod';
import { scripted } from '../../evaluate/models/scripted.ts';
import { defineUser } from '../../evaluate/users/user.ts';
import type { ConfigProblem } from './config-problem.ts';
import type { Config } from './config.ts';
import { checkConfig, resolveUsers } from './resolve.ts';

const resolve = async (user?: Config['user']) => {
  const config = checkConfig({ dataset: 'a.jsonl', targets: [{ use: 'module' }], user });
  return await resolveUsers(config, { folder: '.', environment: {} });
};

test('without a setting there is the scripted user and no simulated one', async () => {
  const { scripted: reader, simulated } = await resolve();
  expect(reader.begin).toBeTypeOf('function');
  expect(simulated).toBeUndefined();
});

test.each([
  ['data', { use: 'scripted', otherwise: 'x' }],
  ['made in a program', scripted({ otherwise: 'x' })],
])('a model, as %s, becomes the simulated user', async (_, user) => {
  const { simulated } = await resolve(user);
  expect(simulated).toMatchObject({
    name: 'simulated-user',
    use: { use: 'simulated-user', model: { use: 'scripted', otherwise: 'x' } },
  });
});

test('the fingerprint of a user depends on its model and options, not on its name', async () => {
  const users = [
    { use: 'simulated-user', model: { use: 'scripted' } },
    { use: 'simulated-user', name: 'ana', model: { use: 'scripted' } },
    { use: 'simulated-user', model: { use: 'scripted', otherwise: 'x' } },
    { use: 'simulated-user', model: { use: 'scripted' }, temperature: 1 },
  ];
  const found = await Promise.all(users.map(async (user) => (await resolve(user)).simulated));
  expect(found.map((one) => one?.name)).toEqual([
    'simulated-user',
    'ana',
    'simulated-user',
    'simulated-user',
  ]);
  const [plain, named, other, warm] = found.map((one) => one?.fingerprint);
  expect(named).toBe(plain);
  expect(new Set([plain, other, warm]).size).toBe(3);
});

test('a custom user needs no registry', async () => {
  const mine = defineUser({
    name: 'mine',
    version: 1,
    summary: 'Says nothing.',
    options: z.strictObject({ mood: z.string() }),
    create: () => ({ begin: () => ({ next: async () => ({ type: 'ends', ended: 'gave-up' }) }) }),
  });
  expect((await resolve(mine({ mood: 'bad' }))).simulated).toMatchObject({
    name: 'mine',
    use: { mood: 'bad' },
  });
});

test.each([
  [
    { use: 'simulated-usr', model: { use: 'scripted' } },
    /there is no user "simulated-usr"\. Did you mean "simulated-user"/,
  ],
  [{ use: 'simulated-user' }, /model/],
  [{ use: 'simulated-user', model: { use: 'scripted', rulez: [] } }, /unknown setting/],
])('%j is refused', async (user, message) => {
  const refused = resolve(user).catch((problem: ConfigProblem) => problem.issues);
  expect(await refused).toMatchObject([{ message: expect.stringMatching(message) }]);
});

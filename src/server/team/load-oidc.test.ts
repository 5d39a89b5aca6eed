import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadOidc } from './load-oidc.ts';

const environment = { TOUCHSTONE_OIDC_SECRET: 's3cret' };
const settings = ['clientId: touchstone', 'groups:', '  team: { main: editor }'];
const whole = ['issuer: https://id.example.org', ...settings];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'oidc-'));
});
afterAll(async () => await rm(folder, { recursive: true }));

async function load(lines: readonly string[], given: Readonly<Record<string, string>> = environment) {
  const file = path.join(folder, 'oidc.yaml');
  await writeFile(file, lines.join('\n'));
  return await loadOidc(file, given);
}

test('the settings that are left out have defaults, and the secret comes from the environment', async () => {
  expect(await load(whole)).toEqual({
    issuer: 'https://id.example.org',
    clientId: 'touchstone',
    clientSecret: 's3cret',
    name: 'id.example.org',
    scopes: ['openid', 'profile', 'email'],
    groupsClaim: 'groups',
    groups: { team: { main: 'editor' } },
    others: {},
    contact: 'an administrator of this server',
  });
  await expect(load(whole, {})).rejects.toThrow('TOUCHSTONE_OIDC_SECRET, which is not set');
  await expect(load(whole, { TOUCHSTONE_OIDC_SECRET: '' })).rejects.toThrow('which is not set');
});

test('the example for deployments can be used', async () => {
  const file = path.resolve(import.meta.dirname, '../../../deploy/oidc.yaml');
  expect(Object.keys((await loadOidc(file, environment)).groups)).toEqual(['evals-admins', 'evals-team']);
});

test.each([
  'http://id.example.org',
  'http://127.0.0.1.example.org',
  'https://user@id.example.org',
  'https://id.example.org/?tenant=a',
  'https://id.example.org/.well-known/openid-configuration',
  'ftp://id.example.org',
  'id.example.org',
])('the issuer %s is refused', async (issuer) => {
  const refused = load([`issuer: ${issuer}`, ...settings]);
  await expect(refused).rejects.toThrow(/oidc\.yaml:1:9: issuer: expected the https address of the provider/);
});

test.each(['http://127.0.0.1:8080', 'http://localhost:8080/realms/a', 'http://[::1]:8080'])(
  'the issuer %s is on this machine, and may be without TLS',
  async (issuer) => {
    expect((await load([`issuer: ${issuer}`, ...settings])).issuer).toBe(issuer);
  },
);

test.each([
  [[...whole, '  all: { main: owner }'], /oidc\.yaml:5:16: groups\.all\.main: expected .*viewer/],
  [[...whole, '  all: { Main Project: viewer }'], /groups\.all/],
  [[...whole, 'clientSecret: s3cret'], /clientSecret: unknown setting/],
  [whole.slice(0, 2), /groups: no group has a role, so that no one could sign in/],
  [[...whole.slice(0, 2), 'groups: { team: {} }'], /no one could sign in/],
])('settings that cannot be used are named with their place: %j', async (lines, message) => {
  const refused = load(lines);
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.not.toThrow('s3cret');
});

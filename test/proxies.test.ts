import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connectProvider } from '../src/server/team/oidc-provider.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { startForwardProxy } from './support/forward-proxy.ts';
import { client, signInAt, startProvider } from './support/oidc-provider.ts';
import { hasOpenssl, makeAuthority } from './support/private-authority.ts';

const login = 'ann:pass-word';

test('people sign in through the proxy: the metadata, the token and the claims of a provider are asked for there', async () => {
  await using proxy = await startForwardProxy({ wants: login });
  vi.stubEnv('HTTP_PROXY', `http://${login}@${proxy.host}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const redirect = 'https://evals.example.org/sign-in/oidc/callback';
  const provider = await startProvider({ redirect, host: 'provider.test' });
  onTestFinished(provider.close);
  provider.people.set('1', { preferred_username: 'Ann', groups: ['team'] });
  const { id: clientId, secret: clientSecret } = client;
  const { begin, finish } = await connectProvider({
    issuer: provider.issuer,
    clientId,
    clientSecret,
    name: 'Acme',
    scopes: ['openid', 'profile'],
    groupsClaim: 'groups',
    groups: {},
    others: {},
  } as never);
  const begun = await begin('a secret of the cookie', new URL(redirect));
  const answer = await signInAt(provider, begun.href, '1');
  const person = await finish('a secret of the cookie', answer);
  expect(person).toMatchObject({ identity: { issuer: provider.issuer, subject: '1' }, groups: ['team'] });
  expect(new Set(proxy.asked)).toEqual(new Set([new URL(provider.issuer).host]));
  for (const asked of ['/.well-known/openid-configuration', '/token', '/me'])
    expect(provider.asked).toContain(asked);
});

test('doctor names the variable of a proxy, asks nothing through it and shows neither its place nor its password', async () => {
  await using proxy = await startForwardProxy();
  const cwd = await temporaryFolder();
  await writeFile(path.join(cwd, 'golden.jsonl'), '{"question":"Yes?"}\n');
  const config = 'dataset: golden.jsonl\ntargets: [{ use: http, url: http://bot.test/chat }]\n';
  await writeFile(path.join(cwd, 'touchstone.config.yaml'), config);
  const env = { HTTP_PROXY: `http://${login}@${proxy.host}`, HTTPS_PROXY: undefined };
  const { code, stdout } = await touchstone(['doctor'], { cwd, env, isAlone: true });
  expect(code).toBe(0);
  expect(stdout).toContain('HTTP_PROXY');
  for (const hidden of [proxy.host, 'pass-word', 'bot.test']) expect(stdout).not.toContain(hidden);
  expect(proxy.asked).toEqual([]);
});

test.skipIf(!hasOpenssl || process.platform !== 'linux')(
  'a certificate that the system trusts is trusted with NODE_USE_SYSTEM_CA=1 and with --use-system-ca (needs openssl)',
  async () => {
    const authority = makeAuthority(await temporaryFolder(), ['localhost']);
    const bot = createServer(authority, (incoming, response) => {
      incoming.resume();
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"answer":"yes"}');
    });
    bot.listen(0, '127.0.0.1');
    await once(bot, 'listening');
    onTestFinished(() => void bot.close());
    const cwd = await temporaryFolder();
    await writeFile(path.join(cwd, 'golden.jsonl'), '{"question":"Yes?","expected_keywords":["yes"]}\n');
    const url = `https://localhost:${(bot.address() as AddressInfo).port}/chat`;
    const config = `dataset: golden.jsonl\ntargets: [{ use: http, url: '${url}' }]\n`;
    await writeFile(path.join(cwd, 'touchstone.config.yaml'), config);
    // On Linux, the certificates of the system are where OpenSSL finds them.
    const system = { SSL_CERT_FILE: authority.file, NODE_EXTRA_CA_CERTS: undefined };
    const ask = async (env: Record<string, string | undefined>) =>
      await touchstone(['run'], { cwd, env: { ...system, ...env }, isAlone: true });
    expect((await ask({})).stdout).toContain('(UNABLE_TO_VERIFY_LEAF_SIGNATURE)');
    for (const env of [{ NODE_USE_SYSTEM_CA: '1' }, { NODE_OPTIONS: '--use-system-ca' }])
      expect(await ask(env)).toMatchObject({ code: 0, stdout: expect.stringMatching(/100 %/) });
  },
);

import { expect, test } from 'vitest';
import { createKnownSecrets } from './known-secrets.ts';

const shown = (config: unknown, environment: Record<string, string>, text: string) =>
  createKnownSecrets(config, environment).text(text);

test('variables that are named like secrets are redacted, whatever the config says', () => {
  const environment = {
    DB_PASSWORD: 'hunter2-of-ann',
    GIT_AUTHOR_NAME: 'Ann Example',
    AUTH_MODE: 'anthropic',
    API_KEY_ENV: 'DB_PASSWORD',
  };
  const text = 'hunter2-of-ann, Ann Example, anthropic';
  expect(shown({}, environment, text)).toBe('[DB_PASSWORD], Ann Example, anthropic');
});

test('variables that settings pass on are redacted, except those about how a program runs', () => {
  const config = {
    targets: [
      {
        mcp: [{ envFrom: ['PORTAL', 'NODE_ENV', 'LANG'] }],
        model: { headersFromEnv: { 'x-a': 'HEADER' }, apiKeyEnv: 'MINE' },
      },
    ],
  };
  const environment = {
    PORTAL: 'p-77',
    NODE_ENV: 'production',
    LANG: 'en_US.UTF-8',
    HEADER: 'h-88',
    MINE: 'm-99',
  };
  const text = 'p-77 production en_US.UTF-8 h-88 m-99';
  expect(shown(config, environment, text)).toBe('[PORTAL] production en_US.UTF-8 [HEADER] [MINE]');
});

test('placeholders in requests are redacted, those in prompts only when named like secrets', () => {
  const config = {
    targets: [
      { headers: { 'x-a': 'Bearer {{ env.ACCESS }}' }, body: { port: '{{env.SMALL}}' } },
      { system: 'You work for {{env.COMPANY}}; {{env.BOT_KEY}}' },
    ],
  };
  const environment = { ACCESS: 'abcdefgh', SMALL: '8080', COMPANY: 'Acme Limited', BOT_KEY: 'k-12' };
  expect(shown(config, environment, 'abcdefgh 8080 Acme Limited k-12')).toBe(
    '[ACCESS] 8080 Acme Limited [BOT_KEY]',
  );
});

test('the user and password of an address are redacted', () => {
  const environment = { DATABASE_URL: 'postgres://ann:s3cret@db.example/x', HOMEPAGE: 'https://a.example/' };
  expect(shown({}, environment, 'FATAL: postgres://ann:s3cret@db.example/x at https://a.example/')).toBe(
    'FATAL: postgres://[DATABASE_URL]@db.example/x at https://a.example/',
  );
});

test('the password in the address of the store is redacted, as it is written and as it is meant', () => {
  const url = 'postgres://ann:p4ss%2Fw0rd@db.example.org/evals?sslpassword=0ther-one';
  const text = 'p4ss%2Fw0rd, p4ss/w0rd, 0ther-one, ann, evals';
  for (const store of [url, { use: 'postgres', url }, { use: 'postgres', urlEnv: 'EVALS' }])
    expect(shown({ store }, { EVALS: url }, text)).toBe('[store], [store], [store], ann, evals');
});

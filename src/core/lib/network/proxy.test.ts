import { expect, test } from 'vitest';
import { proxyFor, proxySecrets } from './proxy.ts';

const hostFor = (to: string, environment: Record<string, string>) => proxyFor(new URL(to), environment)?.host;

test.each([
  ['http://bot.example.com/', { HTTP_PROXY: 'http://p:3128' }, 'p:3128'],
  // Without a scheme it is one of http, with its port or 80.
  ['http://bot.example.com/', { HTTP_PROXY: 'p:3128' }, 'p:3128'],
  ['http://bot.example.com/', { HTTP_PROXY: 'http://p' }, 'p:80'],
  ['http://bot.example.com/', { HTTP_PROXY: 'https://p' }, 'p:443'],
  ['http://bot.example.com/', { HTTP_PROXY: 'user:password@p:1' }, 'p:1'],
  // Names in small letters come first; an empty one is none.
  ['http://bot.example.com/', { HTTP_PROXY: 'http://P:1', http_proxy: 'http://q:2' }, 'q:2'],
  ['http://bot.example.com/', { HTTP_PROXY: 'http://p:1', http_proxy: '' }, undefined],
  // Addresses with https have their own proxy, else the one for http; addresses with http never have the one for https.
  ['https://bot.example.com/', { HTTP_PROXY: 'http://p:1', HTTPS_PROXY: 'http://q:2' }, 'q:2'],
  ['https://bot.example.com/', { HTTP_PROXY: 'http://p:1' }, 'p:1'],
  ['http://bot.example.com/', { HTTPS_PROXY: 'http://q:2' }, undefined],
  ['http://bot.example.com/', { HTTP_PROXY: 'http://p:1', TOUCHSTONE_PROXY: 'off' }, undefined],
  ['http://bot.example.com/', {}, undefined],
])('%s with %j goes through %s', (to, environment, host) => {
  expect(hostFor(to, environment as Record<string, string>)).toBe(host);
});

test.each(['localhost', 'bot.localhost', 'LOCALHOST.', '127.0.0.1', '127.9.9.9', '[::1]', '0.0.0.0'])(
  'this machine, as %s, is never asked through a proxy',
  (host) => {
    expect(hostFor(`http://${host}:8000/`, { HTTP_PROXY: 'http://p:1' })).toBeUndefined();
  },
);

test.each([
  ['bot.example.com', 'http://bot.example.com', true],
  ['example.com', 'http://bot.example.com', true],
  ['.example.com', 'http://bot.example.com', true],
  ['.example.com', 'http://example.com', true],
  ['*.example.com', 'http://bot.example.com', true],
  ['*.example.com', 'http://example.com', false],
  ['example.com', 'http://notexample.com', false],
  ['EXAMPLE.com.', 'http://bot.example.COM', true],
  ['example.com:8080', 'http://bot.example.com:8080', true],
  ['example.com:8080', 'http://bot.example.com', false],
  ['example.com:80', 'http://bot.example.com', true],
  ['example.com:443', 'https://bot.example.com', true],
  ['a.test, b.test c.test', 'http://c.test', true],
  ['a.test, b.test', 'http://c.test', false],
  ['none.invalid, *', 'http://c.test', true],
  ['*:81', 'http://c.test', false],
  ['10.1.2.3', 'http://10.1.2.3', true],
  ['10.0.0.0/8', 'http://10.1.2.3', true],
  ['10.0.0.0/8', 'http://11.1.2.3', false],
  ['10.0.0.0/8', 'http://10.example.com', false],
  ['10.0.0.0/99', 'http://10.1.2.3', false],
  ['fe80::/10', 'http://[fe80::1]', true],
  ['[fe80::1]:8080', 'http://[fe80::1]:8080', true],
  ['fe80::1', 'http://[fe80::1]', true],
  [', ,', 'http://c.test', false],
])('NO_PROXY=%s means %s: %s', (excluded, to, isExcluded) => {
  expect(hostFor(to, { HTTP_PROXY: 'p:1', NO_PROXY: excluded }) === undefined).toBe(isExcluded);
  expect(hostFor(to, { HTTP_PROXY: 'p:1', NO_PROXY: 'x.invalid', no_proxy: excluded }) === undefined).toBe(
    isExcluded,
  );
});

test.each(['socks5://user:pass-word@p:1080', 'http://', 'http://user:%zz@p', 'ftp://p', 'http://p:99999'])(
  'what is no proxy over http or https is refused, and not quoted: %s',
  (value) => {
    expect(() => proxyFor(new URL('http://bot.test'), { HTTP_PROXY: value })).toThrow(
      expect.objectContaining({
        code: 'proxy-invalid',
        message: '`HTTP_PROXY` is not the address of a proxy over http or https.',
      }),
    );
  },
);

test('the secrets of proxies are their passwords, alone and with the user name, as they are meant', () => {
  const environment = {
    HTTPS_PROXY: 'http://ann:p%40ss%20word@p:1',
    http_proxy: 'bob:abc@q:2',
    HTTP_PROXY: 'x:unused-one@q',
  };
  expect([...proxySecrets(environment)]).toEqual([
    ['HTTPS_PROXY', 'ann:p@ss word'],
    ['HTTPS_PROXY', 'p@ss word'],
    ['http_proxy', 'bob:abc'],
  ]);
  expect([...proxySecrets({ HTTP_PROXY: 'http://p:1' })]).toEqual([]);
});

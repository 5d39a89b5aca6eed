import { expect, test } from 'vitest';
import { findCollector } from './collector.ts';

const environment = {
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/base/',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc, x-team = one',
  TOKEN: 'a secret',
};

test('an address without a path means the usual one; one with a path is as it is', () => {
  expect(findCollector({ otlp: 'http://127.0.0.1:4318' }, {}).url).toBe('http://127.0.0.1:4318/v1/traces');
  expect(findCollector({ otlp: 'https://a.example/otlp/x' }, {}).url).toBe('https://a.example/otlp/x');
});

test('without an address it is that of the environment, with its headers, else this machine', () => {
  expect(findCollector({}, environment)).toEqual({
    url: 'https://collector.example/base/v1/traces',
    headers: { authorization: 'Bearer abc', 'x-team': 'one' },
  });
  const exact = { ...environment, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t.example/here' };
  expect(findCollector({}, exact).url).toBe('http://t.example/here');
  expect(findCollector({}, {})).toEqual({ url: 'http://localhost:4318/v1/traces', headers: {} });
});

test('headers of the environment do not go to another address', () => {
  expect(findCollector({ otlp: 'http://other.example' }, environment).headers).toEqual({});
  const settings = { otlp: 'http://other.example', headersFromEnv: { 'api-key': 'TOKEN' } };
  expect(findCollector(settings, environment).headers).toEqual({ 'api-key': 'a secret' });
});

test('what is no address is refused, and so is a header without its value', () => {
  for (const otlp of ['localhost:4318', 'ftp://a.example', 'examples/bot']) {
    expect(() => findCollector({ otlp }, {})).toThrow(`"${otlp}" is not the address`);
  }
  expect(() => findCollector({ headersFromEnv: { 'api-key': 'MISSING' } }, {})).toThrow(
    'The header api-key for the OpenTelemetry collector is in MISSING, which is not set.',
  );
});

test('a user and a password in the address go into a header, and into no message', () => {
  const basic = `Basic ${Buffer.from('ann:p@ss').toString('base64')}`;
  expect(findCollector({ otlp: 'http://ann:p%40ss@127.0.0.1:4318' }, {})).toEqual({
    url: 'http://127.0.0.1:4318/v1/traces',
    headers: { authorization: basic },
  });
  const given = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://ann:p%40ss@127.0.0.1:4318' };
  expect(findCollector({}, given)).toEqual({
    url: 'http://127.0.0.1:4318/v1/traces',
    headers: { authorization: basic },
  });
  expect(() => findCollector({ otlp: 'ftp://ann:secret@a.example' }, {})).toThrow('"ftp://a.example"');
});

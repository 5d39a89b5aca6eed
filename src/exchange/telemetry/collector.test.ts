import { expect, test } from 'vitest';
import { findCollector } from './collector.ts';

const environment = {
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/base/',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc, x-team = one',
  TOKEN: 'a secret',
};

test('an address without a path gets the default path; one with a path is kept', () => {
  expect(findCollector({ otlp: 'http://127.0.0.1:4318' }, {}).url).toBe('http://127.0.0.1:4318/v1/traces');
  expect(findCollector({ otlp: 'https://a.example/otlp/x' }, {}).url).toBe('https://a.example/otlp/x');
});

test('without an address, that of the environment is used with its headers, else this machine', () => {
  expect(findCollector({}, environment)).toEqual({
    url: 'https://collector.example/base/v1/traces',
    headers: { authorization: 'Bearer abc', 'x-team': 'one' },
  });
  const exact = { ...environment, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t.example/here' };
  expect(findCollector({}, exact).url).toBe('http://t.example/here');
  expect(findCollector({}, {})).toEqual({ url: 'http://localhost:4318/v1/traces', headers: {} });
});

test('headers of the environment are not sent to another address', () => {
  expect(findCollector({ otlp: 'http://other.example' }, environment).headers).toEqual({});
  const settings = { otlp: 'http://other.example', headersFromEnv: { 'api-key': 'TOKEN' } };
  expect(findCollector(settings, environment).headers).toEqual({ 'api-key': 'a secret' });
});

test('an invalid address is refused, and so is a header whose variable is not set', () => {
  for (const otlp of ['localhost:4318', 'ftp://a.example', 'examples/bot']) {
    expect(() => findCollector({ otlp }, {})).toThrow(`"${otlp}" is not the address`);
  }
  expect(() => findCollector({ headersFromEnv: { 'api-key': 'MISSING' } }, {})).toThrow(
    'The header api-key for the OpenTelemetry collector is read from MISSING, which is not set.',
  );
});

test('a user name and password in the address are moved into a header, and appear in no message', () => {
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

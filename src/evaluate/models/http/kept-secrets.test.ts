import { describe, expect, test } from 'vitest';
import {
  ask,
  definitionOf,
  failureOf,
  type HttpKind,
  httpKinds,
  serve,
} from '../../../../test/support/model-harness.ts';
import type { ChatModel } from '../model.ts';

const key = 'sk/test+0123456789abcdef';

function create(kind: HttpKind, baseUrl: string): ChatModel {
  const definition = definitionOf(kind);
  const options = { model: 'test-model', baseUrl, apiKeyEnv: 'TEST_MODEL_KEY', maxRetries: 0 };
  const needs = { folder: '.', environment: { TEST_MODEL_KEY: key } };
  return definition.create(definition.options.parse(options), needs);
}

describe.each(httpKinds)('%s', (kind) => {
  test.each([
    ['as PHP does', key.replace('/', '\\/')],
    ['as .NET does', key.replace('+', '\\u002B')],
    ['as in a URL', encodeURIComponent(key).toLowerCase()],
    ['twice', key.replace('/', '\\\\\\/')],
  ])('a key that an error escapes %s is kept by name only', async (_how, form) => {
    const body = `{"error":{"message":"Incorrect API key provided: ${form}"}}`;
    for (const status of [401, 200]) {
      const server = await serve({ fault: 'raw', status, body });
      const failure = await failureOf(ask(create(kind, server.url)));
      expect(failure.message).toContain('Incorrect API key provided: [TEST_MODEL_KEY]');
      const kept = JSON.stringify([failure.message, failure.attempts, failure.exchange]);
      expect(kept).not.toContain('0123456789');
    }
  });

  test('a key in the address of a redirect is kept by name only', async () => {
    const headers = { location: `/login?key=${encodeURIComponent(key)}` };
    const server = await serve({ fault: 'error', status: 301, headers });
    const failure = await failureOf(ask(create(kind, server.url)));
    expect(failure.message).toContain('points to /login?key=[TEST_MODEL_KEY]');
  });

  test.each([301, 303, 307, 308])(
    'a redirect by %i to another server is not followed: no key goes there',
    async (status) => {
      const other = await serve('stolen');
      const server = await serve({ fault: 'error', status, headers: { location: other.url } });
      expect((await failureOf(ask(create(kind, server.url)))).message).toContain(`points to ${other.url}`);
      expect(other.requests).toEqual([]);
    },
  );

  const dots = '.'.repeat(285);
  const escaped = key.replace('/', '\\/');
  test.each([
    ['a text that is no JSON', 'text/plain', `${dots}${escaped}`],
    ['a list', 'application/json', `["${dots}${escaped}"]`],
    ['a broken stream', 'text/event-stream', `data: {"${dots}${escaped}\n\n`],
    ['a stream of lists', 'text/event-stream', `data: ["${dots}${escaped}"]\n\n`],
  ])('a key at the place where a message cuts %s is not shown in half', async (_what, type, body) => {
    const server = await serve({ fault: 'raw', body, headers: { 'content-type': type } });
    const failure = await failureOf(ask(create(kind, server.url), { stream: type.includes('stream') }));
    expect(failure.code).toBe('invalid-reply');
    expect(failure.message).toMatch(/\.\.\./);
    expect(failure.message).not.toMatch(/sk\W|test\+/);
  });
});

import { expect, test } from 'vitest';
import type { Span } from '../../core/schema/message.ts';
import { redactSpan } from './redact-span.ts';

const key = { id: 'k', secret: '00'.repeat(32) };
const secrets = { text: (text: string) => text.replaceAll('hunter2-secret', '[PASSWORD]') };
const span = (parts: Partial<Span>): Span & { spanId: string } => ({
  place: { file: 'x' },
  traceId: 't',
  spanId: 's',
  name: 'n',
  attributes: {},
  events: [],
  resource: {},
  ...parts,
});
const redact = (parts: Partial<Span>) => redactSpan(span(parts), { key, secrets });

test('secrets and personal data leave every text of a span, names of attributes included', () => {
  const kept = redact({
    name: 'mail jo@example.org',
    attributes: {
      'a jo@example.org': 'hunter2-secret',
      'http.request.header.cookie': ['x'],
      'user.email': 'a@b.co',
    },
    events: [{ name: 'e', attributes: { text: 'call +49 30 1234567' } }],
    error: 'no user jo@example.org',
    resource: { 'api.key': 'abcdefgh', 'service.name': 'bot' },
  });
  expect(JSON.stringify(kept)).not.toMatch(/jo@|a@b|hunter2|1234567|abcdefgh|cookie/);
  const token = /‹email-[0-9a-f]{6}›/.exec(kept.name)?.[0] ?? '';
  expect(kept.error).toBe(`no user ${token}`);
  expect(kept.resource).toEqual({ 'api.key': '[removed]', 'service.name': 'bot' });
});

test('JSON inside a text stays JSON, however deep a personal value stands in it', () => {
  const inner = JSON.stringify({
    to: 'jo@example.org',
    card: 4111111111111111,
    password: 'x1',
    amount: 1234.5,
  });
  const { attributes } = redact({
    attributes: { 'gen_ai.input.messages': JSON.stringify([{ role: 'user', inner }]) },
  });
  const [message] = JSON.parse(attributes['gen_ai.input.messages'] as string) as [{ inner: string }];
  expect(JSON.parse(message.inner)).toEqual({
    to: expect.stringMatching(/^‹email-/),
    card: expect.stringMatching(/^‹card-/),
    password: '[removed]',
    amount: 1234.5,
  });
});

test('the user becomes a keyed hash, wherever it is named, and conversations are found', () => {
  const kept = redact({ resource: { 'enduser.id': 'u-17' }, attributes: { 'session.id': 's-1' } });
  expect(kept).toMatchObject({
    user: { key: 'k', hash: expect.stringMatching(/^[0-9a-f]{32}$/) },
    conversation: 's-1',
  });
  expect(JSON.stringify(kept)).not.toContain('u-17');
  expect(redact({ attributes: { 'gen_ai.usage.input_tokens': '812' } }).attributes).toEqual({
    'gen_ai.usage.input_tokens': '812',
  });
});

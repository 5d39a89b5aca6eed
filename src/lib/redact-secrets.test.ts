import { expect, test } from 'vitest';
import { createSecretRedactor, isSecretName } from './redact-secrets.ts';

const redactor = createSecretRedactor([
  ['KEY', 'abc"d/é+'],
  ['LONGER', 'abc"d/é+and more'],
]);

test('a secret is replaced by its name as it is, in JSON and in a URL, the longest first', () => {
  expect(redactor.text('x abc"d/é+ y')).toBe('x [KEY] y');
  expect(redactor.text(JSON.stringify({ k: 'abc"d/é+' }))).toBe('{"k":"[KEY]"}');
  expect(redactor.text(`?k=${encodeURIComponent('abc"d/é+')}`)).toBe('?k=[KEY]');
  expect(redactor.text('abc"d/é+and more')).toBe('[LONGER]');
});

test('JSON is redacted in its values and its keys, and is otherwise the same', () => {
  expect(redactor.json({ 'abc"d/é+': [1, null, { a: 'abc"d/é+!' }] })).toEqual({
    '[KEY]': [1, null, { a: '[KEY]!' }],
  });
});

test.each([
  ['authorization', true],
  ['x-api-key', true],
  ['Set-Cookie', true],
  ['content-type', false],
])('%s is a secret name: %s', (name, isSecret) => {
  expect(isSecretName(name)).toBe(isSecret);
});

import { expect, test } from 'vitest';
import { redactPersonal } from './redact-personal.ts';

test.each([
  ['Write to Ann.Lee+x@mail.example.com.', 'Write to ‹email-1›.'],
  ['a@b.de, then c@d.org, then A@B.DE', '‹email-1›, then ‹email-2›, then ‹email-1›'],
  // The test numbers of card networks, valid by Luhn.
  ['My card is 4111 1111 1111 1111!', 'My card is ‹card-1›!'],
  ['5500-0000-0000-0004 or 378282246310005', '‹card-1› or ‹card-2›'],
  // The examples of the IBAN registry.
  ['IBAN DE89 3704 0044 0532 0130 00 please', 'IBAN ‹iban-1› please'],
  ['GB29NWBK60161331926819', '‹iban-1›'],
  ['Call +49 (0)30 1234567 or 030/901820', 'Call ‹phone-1› or ‹phone-2›'],
  ['The key sk-abcdefghijklmnopqrstuvwx leaked', 'The key ‹key-1› leaked'],
])('%j becomes %j', (text, redacted) => {
  expect(redactPersonal(text)).toBe(redacted);
});

test.each([
  'The order 4111 1111 1111 1112 is late',
  'GB28NWBK60161331926819',
  'It costs 1,234,567.89 on 01.02.2026 at 10:30',
  'Version 1.2.3.4, id 20260102-030405-abcd',
  'user@localhost, a @ b',
  'pneumonoultramicroscopicsilicovolcanoconiosis',
])('%j stays', (text) => {
  expect(redactPersonal(text)).toBe(text);
});

test('a long text is redacted in a time that grows with its length alone', () => {
  const text = `${'a.'.repeat(20_000)}@${'1 '.repeat(20_000)}`;
  expect(redactPersonal(text).length).toBeGreaterThan(0);
  expect(redactPersonal(redactPersonal('a@b.de'))).toBe('‹email-1›');
});

import { expect, test } from 'vitest';
import { escapeJson, jsonDocument } from './json-document.ts';

const hostile = [
  '\u001b[2J',
  '\u009b2J',
  '\u007f',
  '\u202egnp.exe',
  '\u2066',
  '\u200f',
  '\u2028',
  'ü 漢 🙂 "\\',
];

test('what a terminal would obey is escaped, and read as it was', () => {
  const document = jsonDocument({ [hostile.join('')]: hostile });
  expect(document).not.toMatch(
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/,
  );
  expect(document).toContain('ü 漢 🙂');
  expect(JSON.parse(document)).toEqual({ [hostile.join('')]: hostile });
  expect(document.endsWith('}\n')).toBe(true);
});

test('every character of the first page is read as it was', () => {
  const all = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).join('');
  expect(JSON.parse(escapeJson(JSON.stringify(all)))).toBe(all);
});

import { expect, test } from 'vitest';
import { escapeJson, jsonDocument, pathSteps, setMember, valueAtPath } from './objects.ts';

const reply = { choices: [{ message: { content: 'hi' } }], 'a b': { 'c.d': 1 }, none: null };

test.each([
  ['choices[0].message.content', 'hi'],
  ['choices.0.message.content', 'hi'],
  ['["a b"]["c.d"]', 1],
  ["a b['c.d']", 1],
  ['none', null],
  ['', reply],
])('%s is found', (path, value) => {
  expect(valueAtPath(reply, path)).toEqual(value);
});

test.each(['choices[1].message', 'choices[0].text', 'none.deeper', 'choices[0].message.content.length'])(
  'nothing is at %s',
  (path) => {
    expect(valueAtPath(reply, path)).toBeUndefined();
  },
);

test('only own properties of a value are followed', () => {
  expect(valueAtPath(reply, 'constructor.name')).toBeUndefined();
  expect(valueAtPath(reply, '__proto__')).toBeUndefined();
  expect(valueAtPath(undefined, 'a')).toBeUndefined();
});

test('the steps of a path are names and numbers', () => {
  expect(pathSteps('a.b[0]["c d"].e')).toEqual(['a', 'b', '0', 'c d', 'e']);
});

test('a member can have any name, and no prototype changes', () => {
  const record: Record<string, unknown> = {};
  for (const name of ['a', 'constructor', '__proto__']) setMember(record, name, { polluted: true });
  expect(Object.keys(record)).toEqual(['a', 'constructor', '__proto__']);
  expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  expect('polluted' in record).toBe(false);
});

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

test('control characters are escaped, and JSON.parse restores them', () => {
  const document = jsonDocument({ [hostile.join('')]: hostile });
  expect(document).not.toMatch(
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/,
  );
  expect(document).toContain('ü 漢 🙂');
  expect(JSON.parse(document)).toEqual({ [hostile.join('')]: hostile });
  expect(document.endsWith('}\n')).toBe(true);
});

test('every character of the basic plane is restored by JSON.parse', () => {
  const all = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).join('');
  expect(JSON.parse(escapeJson(JSON.stringify(all)))).toBe(all);
});

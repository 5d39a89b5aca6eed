import { expect, test } from 'vitest';
import { readJsonText } from './read-json-text.ts';

test('an object or a list is laid out, with all digits of its numbers', () => {
  expect(readJsonText(' {"name":"Ada","items":[{"id":9007199254740993},{"id":2}]} ', 30)).toBe(
    '{\n  "name": "Ada",\n  "items": [\n    {"id":9007199254740993},\n    {"id":2}\n  ]\n}',
  );
  expect(readJsonText('[1,2]', 30)).toBe('[1,2]');
});

test('another text is none', () => {
  for (const text of ['', 'yes', '12', '"text"', '{not json}', '[1] and {"a":1}', '{"a":1} then'])
    expect(readJsonText(text, 30)).toBeUndefined();
});

test('a text that is made to take long is left as it is', () => {
  expect(readJsonText('['.repeat(50_000) + ']'.repeat(50_000), 30)).toBeUndefined();
  expect(readJsonText(`{"a":"${'x'.repeat(1_000_000)}"}`, 30)).toBeUndefined();
});

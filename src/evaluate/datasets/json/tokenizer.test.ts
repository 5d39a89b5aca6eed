import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { piecesOf } from '../json.ts';
import { explainJson, findInJson, isJsonText } from './explain-json.ts';
import { walkJson } from './read-json.ts';

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON in which up to two characters are wrong, missing or added. */
const almostJson = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.array(
      fc.tuple(
        fc.nat(200),
        fc.nat(1),
        fc.constantFrom(
          '',
          '{',
          '}',
          '[',
          ']',
          ',',
          ':',
          '"',
          '\\',
          '\n',
          ' ',
          'x',
          '1',
          '-',
          'tru',
          '\\u12',
        ),
      ),
      { maxLength: 2 },
    ),
  )
  .map(([json, edits]) =>
    edits.reduce((text, [at, removed, added]) => text.slice(0, at) + added + text.slice(at + removed), json),
  );

test('a text is JSON exactly when JSON.parse reads it', () => {
  fc.assert(
    fc.property(almostJson, (text) => {
      expect(isJsonText(text)).toBe(isParsed(text));
    }),
    { numRuns: 2000 },
  );
});

test('a text stops being JSON where nothing can follow its beginning', () => {
  fc.assert(
    fc.property(almostJson, (text) => {
      fc.pre(!isParsed(text));
      const { offset } = explainJson(text, { after: 'the end', end: 'the end' });
      // The text up to the fault is the beginning of some JSON: its only fault is that it ends.
      const beginning = explainJson(text.slice(0, offset), { after: 'the end', end: 'the end' });
      expect(beginning.offset).toBe(offset);
    }),
    { numRuns: 2000 },
  );
});

test('walking through a text in pieces reads what JSON.parse reads, and refuses what it refuses', async () => {
  await fc.assert(
    fc.asyncProperty(almostJson, fc.integer({ min: 1, max: 9 }), async (part, length) => {
      const text = `{"a":${part}}`;
      fc.pre(isParsed(text) || !/\}\s*\{/.test(text)); // Values that follow each other are read.
      const walked = Array.fromAsync(walkJson(piecesOf(text, length), { file: 'f', choose: keepMembers }));
      if (!isParsed(text)) await expect(walked).rejects.toMatchObject({ code: 'dataset-invalid' });
      else expect((await walked).at(-1)?.value).toEqual(parseJson(text).a);
    }),
    { numRuns: 1000 },
  );
});

const keepMembers = (path: readonly unknown[]) => (path.length === 0 ? 'enter' : 'keep');

test('of members with the same name the last is found, as JSON.parse takes the last', () => {
  expect(findInJson('{"a": {"b": 1}, "a": {"b": 2}}', ['a', 'b'])).toBe(27);
});

test('a stray comma is to be removed', () => {
  const surroundings = { after: 'the end', end: 'the end' };
  expect(explainJson('{"a": [1,,2]}', surroundings).remedy).toBe('Remove the comma.');
  expect(explainJson('{"a": [,2]}', surroundings).remedy).toBe('Remove the comma.');
  expect(explainJson('{"a": ,}', surroundings).remedy).toBeUndefined();
});

test('a value is found under its own path only, or the innermost value around it', () => {
  expect(findInJson('{"a": {"b": 1}, "x": {"b": 2}}', ['a', 'b'])).toBe(12);
  expect(findInJson('{"x": {"b": 2}, "a": 3}', ['a', 'b'])).toBe(21);
});

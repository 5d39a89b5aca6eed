import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findUnitPlaces, undoEscapes } from './undo-escapes.ts';

test.each([
  ['a\\/b\\u002Bc\\u002bd\\"e\\\\f\\n', 'a/b+c+d"e\\f\n'],
  ['a%2Fb%2fc%C3%A9d%F0%9F%99%82', 'a/b/céd🙂'],
  ['a&#x2F;b&#47;c&amp;d&quot;e&sol;', 'a/b/c&d"e/'],
  ['\\x2f \\ud83d\\ude42', '/ 🙂'],
  ['100 % &c. &unknown; &#xFFFFFF; C:\\dir %zz %', '100 % &c. &unknown; &#xFFFFFF; C:\\dir %zz %'],
])('%j is %j', (text, plain) => {
  expect(undoEscapes(text)).toBe(plain);
});

test('one layer is undone at a time', () => {
  expect(undoEscapes('%252F')).toBe('%2F');
  expect(undoEscapes('\\\\/')).toBe('\\/');
});

test('every unit is found where it stood', () => {
  const text = 'a\\u002Fb%C3%A9&amp;c';
  const { starts, ends } = findUnitPlaces(text);
  const stood = Array.from(undoEscapes(text), (_, unit) => text.slice(starts[unit], ends[unit]));
  expect(stood).toEqual(['a', '\\u002F', 'b', '%C3%A9', '&amp;', 'c']);
});

test('the places lead from the beginning to the end, whatever the text', () => {
  const piece = fc.constantFrom('\\', '%', '&', '#x', '2F', 'u002', ';', 'amp', 'é', 'x', '"', 'C3', 'A9');
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      const units = undoEscapes(text).length;
      const { starts, ends } = findUnitPlaces(text);
      expect(units === 0 ? [0, 0] : [starts[0], ends[units - 1]]).toEqual([0, text.length]);
    }),
  );
});

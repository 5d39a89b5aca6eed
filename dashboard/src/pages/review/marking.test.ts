import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moveChoice, type Span, spanOf, splitAtMarks, toggleSpan, wordsOf } from './marking.ts';

const text = 'It is a\n  polite 👋 answer.';

test('words are chosen one by one or several, and never beyond the text', () => {
  const words = wordsOf(text).length;
  expect(words).toBe(6);
  const step = (from: { anchor: number; focus: number }, by: number, isExtended = false) =>
    moveChoice(from, { step: by, isExtended, words });
  expect(step({ anchor: 0, focus: 0 }, -1)).toEqual({ anchor: 0, focus: 0 });
  expect(step({ anchor: 0, focus: 4 }, 10)).toEqual({ anchor: 5, focus: 5 });
  const extended = step({ anchor: 3, focus: 3 }, 1, true);
  expect(extended).toEqual({ anchor: 3, focus: 4 });
  expect(spanOf(text, extended)).toEqual({ start: 10, end: 19, text: 'polite 👋' });
  expect(spanOf(text, { anchor: 4, focus: 3 })).toEqual(spanOf(text, extended));
  expect(spanOf('  ', { anchor: 0, focus: 0 })).toBeUndefined();
});

test('a mark is joined with those that it touches, and taken away by marking it again', () => {
  const span = (first: number, last: number) => spanOf(text, { anchor: first, focus: last }) as Span;
  const two = toggleSpan(text, [span(0, 1)], span(4, 5));
  expect(two.map((each) => each.text)).toEqual(['It is', '👋 answer.']);
  expect(toggleSpan(text, two, span(1, 4)).map((each) => each.text)).toEqual([text]);
  expect(toggleSpan(text, two, span(0, 0)).map((each) => each.text)).toEqual(['👋 answer.']);
});

test('the pieces of a text are the text, and those that are marked are what was marked', () => {
  const choice = fc.record({ anchor: fc.nat(8), focus: fc.nat(8) });
  fc.assert(
    fc.property(fc.string(), fc.array(choice, { maxLength: 5 }), choice, (given, choices, chosen) => {
      const spans = choices
        .map((each) => spanOf(given, each))
        .filter((each) => each !== undefined)
        .reduce<Span[]>((all, each) => toggleSpan(given, all, each), []);
      const pieces = splitAtMarks(given, spans, spanOf(given, chosen));
      expect(pieces.map((each) => each.text).join('')).toBe(given);
      const marked = pieces.filter(({ isMarked }) => isMarked).map((each) => each.text);
      expect(marked.join('')).toBe(spans.map((each) => each.text).join(''));
      for (const each of spans) expect(given.slice(each.start, each.end)).toBe(each.text);
    }),
  );
});

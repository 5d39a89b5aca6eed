import { expect, test } from 'vitest';
import { vocabularyOf } from './fields.ts';
import { findUnfinished, suggestFields } from './suggest.ts';

const vocabulary = vocabularyOf('trial', ['keywords', 'Answer quality']);

/** Returns what is unfinished at `^` in a text. */
function at(marked: string) {
  const caret = marked.indexOf('^');
  const found = findUnfinished(marked.replace('^', ''), caret, vocabulary);
  return found && { from: found.from, typed: found.typed, field: found.field?.name };
}

test('the name of a field, or a value of a field, is unfinished at the caret', () => {
  expect(at('^')).toEqual({ from: 0, typed: '', field: undefined });
  expect(at('passed=false mis^')).toEqual({ from: 13, typed: 'mis', field: undefined });
  expect(at('missingTool=se^ passed=false')).toEqual({ from: 12, typed: 'se', field: 'missingTool' });
  expect(at('category=taxes|le^')).toEqual({ from: 15, typed: 'le', field: 'category' });
  expect(at('tool="look up|^')).toEqual({ from: 5, typed: 'look up|', field: 'tool' });
  expect(at('tool="look up"|"se^')).toEqual({ from: 15, typed: 'se', field: 'tool' });
  expect(at('gap.keywords=^')).toEqual({ from: 13, typed: '', field: 'gap.keywords' });
  expect(at('"Answer quality"<0^')).toMatchObject({ typed: '0', field: 'metric.Answer quality' });
  expect(at('nothing=x^')).toBeUndefined();
});

test('fields that begin with what is typed come before those that contain it', () => {
  expect(suggestFields('tool', vocabulary, 4)).toEqual(['toolCalls', 'tool', 'toolsUnknown', 'expectedTool']);
  expect(suggestFields('gap', vocabulary, 9)).toEqual(['gap.keywords', 'gap.Answer quality']);
  expect(suggestFields('zzz', vocabulary, 9)).toEqual([]);
});

test('a text of a megabyte is looked through at once', () => {
  for (const part of ['"', 'a=|', '=|"', ' a="b"|'])
    expect(() => findUnfinished(part.repeat(300_000), 900_000, vocabulary)).not.toThrow();
});

import { expect, test } from 'vitest';
import { flow } from './flow.ts';
import { span } from './text.ts';

const textsOf = (lines: ReturnType<typeof flow>) =>
  lines.map((line) => line.map(({ text }) => text).join(''));

test('spaces at the beginning of a line indent it, and spaces at a wrap are left out', () => {
  const line = [span('  '), span('one two  three')];
  expect(textsOf(flow(line, { width: 20, first: [span('a  ')] }))).toEqual(['a    one two  three']);
  expect(textsOf(flow(line, { width: 12, first: [span('a  ')] }))).toEqual(['a    one two', '   three']);
});

import { expect, test } from 'vitest';
import { readCsv } from './read-csv.ts';

test('quoted fields keep their commas', () => {
  expect(readCsv('id,text\n1,"a, b"\n')).toEqual([{ id: '1', text: 'a, b' }]);
});

test('empty fields are null, also at the end of a line', () => {
  expect(readCsv('a,b,c\n1,,3\n1,2,\n')).toEqual([
    { a: '1', b: null, c: '3' },
    { a: '1', b: '2', c: null },
  ]);
});

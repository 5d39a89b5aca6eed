import { expect, test } from 'vitest';
import { findNames } from './find-names.ts';

const namesIn = (text: string) => findNames(text).map(({ text: name }) => name);

test.each([
  ['The agent is Grand Mesa Insurance Services in Montrose.', ['Grand Mesa Insurance Services', 'Montrose']],
  ['Rent is due. Please call Ana.', ['Ana']],
  ['Western Slope Mutual insures it.', ['Western Slope Mutual']],
  ['Poolula owns it.', []],
  ["Ask Dr. Reyes, Mr. Lee or St. Mary's.", ['Reyes', 'Lee', 'St. Mary']],
  ['The Bank of America and the Museo de la Plata', ['Bank of America', 'Museo de la Plata']],
  ['Do NOT pay. I think YOU should not, OK?', []],
  ['see Form DP-3 and WSM-DP3-204417 on 9th street', ['Form DP-3', 'WSM-DP3-204417']],
  ['- Premium\n- Deductible\n1. Open\n* Wait', []],
  ['Manager: Maria Lopez', ['Maria Lopez']],
  ['“Yes” she said (Maybe) — No', []],
  ['¿Quién es? Es Íñigo Ñandú.', ['Íñigo Ñandú']],
  ['это Иван Петров из Москвы', ['Иван Петров', 'Москвы']],
  ['Η Μαρία Παπαδοπούλου είναι εδώ', ['Η Μαρία Παπαδοπούλου']],
  ['本社は東京です', []],
  ["d'Artagnan met O’Brien", ['O’Brien']],
  ['', []],
])('%j', (text, names) => {
  expect(namesIn(text)).toEqual(names);
});

test('a name has its position and a mark when its first word begins a sentence', () => {
  expect(findNames('Contact Ana Reyes. Ask Bo Li.')).toEqual([
    {
      kind: 'name',
      text: 'Contact Ana Reyes',
      index: 0,
      words: ['Contact', 'Ana', 'Reyes'],
      isFirstOfSentence: true,
    },
    { kind: 'name', text: 'Ask Bo Li', index: 19, words: ['Ask', 'Bo', 'Li'], isFirstOfSentence: true },
  ]);
});

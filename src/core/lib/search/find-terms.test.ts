import { expect, test } from 'vitest';
import { type EverydayRow, keywordRows } from '../../../../test/support/everyday-rows.ts';
import { everydayValues } from '../../../../test/support/everyday-values.ts';
import { createTermSearch, keywordRules } from './find-terms.ts';

/** Entities: names and things, where another name is another entity. */
const entityRows: readonly EverydayRow[] = [
  ['Tom', 'A tomato', false],
  ['Tom', 'Tomas called.', false],
  ['Tom', 'Tom’s dog', true],
  ['Tom', 'Ask Tom!', true],
  ['Tom', 'the bottom', false],
  ['Ann', 'Hannah called.', false],
  ['Ann', 'Anna called.', false],
  ['Ann', 'Ann called.', true],
  ['William', 'Mr Williams', false],
  ['Niger', 'Nigeria', false],
  ['Martin', 'Martinez', false],
  ['Daniel', 'Daniela', false],
  ['Austria', 'an Austrian', false],
  ['Rhine', 'in the Rhineland', false],
  ['Rhine', 'the Rhine-Meuse delta', true],
  ['Rhin', 'the Rhine', false],
  ['Richard I', 'Richard II', false],
  ['Odo', 'Herodotus', false],
  ['Chur', 'a church', false],
  ['desk lamp', 'Two desk lamps', true],
  ['Desk lamp', 'Our desk lamps', true],
  ['city', 'three cities', true],
  ['CPA', 'two CPAs', true],
  ['Versicherung', 'Versicherungsbeitrag', false],
  ['Poolula LLC', 'Poolula LLC, formed 2023', true],
  ['Dana Poole', 'Dana\nPoole', true],
  ['900 S 9th St', 'at 900 S 9th St, Montrose', true],
  ['900 S 9th St', 'at 1900 S 9th St, Montrose', false],
  ['Müller', 'Herr Mu\u0308ller', true],
  ["O'Brien", 'Mr O’Brien', true],
  ['東京', '東京都', true],
  ['IBM', 'IBMs2', false],
  ['IBM', 'two IBMs', true],
  ['Henry VIII', 'King Henry the Eighth', true],
  ['Henry VIII', 'King Henry VII', false],
];

test.each([...keywordRows, ...everydayValues])('the keyword %j in %j: %s', (keyword, text, isThere) => {
  expect(createTermSearch(text, keywordRules)(keyword).isFound).toBe(isThere);
});

test.each(entityRows)('the entity %j in %j: %s', (entity, text, isThere) => {
  expect(createTermSearch(text, { ...keywordRules, match: 'name' })(entity).isFound).toBe(isThere);
});

import { expect, test } from 'vitest';
import { entityRows, keywordRows } from './everyday-rows.ts';
import { createTermSearch, keywordRules } from './find-terms.ts';

test.each(keywordRows)('the keyword %j in %j: %s', (keyword, text, isThere) => {
  expect(createTermSearch(text, keywordRules)(keyword).isFound).toBe(isThere);
});

test.each(entityRows)('the entity %j in %j: %s', (entity, text, isThere) => {
  expect(createTermSearch(text, { ...keywordRules, match: 'name' })(entity).isFound).toBe(isThere);
});

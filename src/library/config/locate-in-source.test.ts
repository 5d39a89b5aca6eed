import { expect, test } from 'vitest';
import { locateInSource } from './load-config.ts';

const source = `const path = 'x';
export default {
  dataset: 'a.csv',
  targets: [
    module({ path: 'a.ts' }),
    module({ path: 'b.ts', export: 'bot' }),
  ],
  'concurency': 3,
  limits: other.attempts,
};
`;
const locate = locateInSource(source, 'a.ts');

test.each([
  [['dataset'], 'a.ts:3:3'],
  [['concurency'], 'a.ts:8:3'],
  [['targets', 1, 'export'], 'a.ts:6:28'],
])('a name that appears once before a colon is the setting %j', async (path, place) => {
  expect(await locate({ path })).toBe(place);
});

test('for a name that appears twice or never, the setting around it is located', async () => {
  expect(await locate({ path: ['targets', 0, 'path'] })).toBe('a.ts:4:3');
  expect(await locate({ path: ['targets', 0] })).toBe('a.ts:4:3');
  expect(await locate({ path: ['attempts'] })).toBe('a.ts');
  expect(await locate({ path: ['(?'] })).toBe('a.ts');
  expect(await locate({ path: [] })).toBe('a.ts');
});

import { expect, test } from 'vitest';
import { fileNameOf } from '../../../core/lib/files/file-name.ts';
import { vocabularyOf } from '../../../core/lib/filter/fields.ts';
import { equalTo } from '../../../core/lib/filter/filter.ts';
import { formatFilter } from '../../../core/lib/filter/format-filter.ts';
import { compileTerm } from '../../../core/lib/filter/match-filter.ts';
import { parseFilter } from '../../../core/lib/filter/parse-filter.ts';
import * as targetExports from '../../../evaluate/targets/registry.ts';
import type { Target, TargetNeeds } from '../../../evaluate/targets/target.ts';
import { ConfigProblem } from '../config-problem.ts';
import { createRegistry } from '../resolve-use.ts';
import { expandGrid } from './expand-grid.ts';

const registry = createRegistry<'target', Target, TargetNeeds>('target', targetExports);
const model = { use: 'openai-chat', model: 'gpt-x' };

function expand(grid: object, rest: object = {}) {
  return expandGrid({ use: 'chat', name: 'bot', model, ...rest, grid }, ['targets', 0], registry);
}

function messageOf(grid: object): string {
  try {
    expand(grid);
  } catch (error) {
    if (error instanceof ConfigProblem)
      return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join();
    throw error;
  }
  return 'no problem';
}

const small = {
  model: ['gpt-x', 'small-y'],
  system: ['file:short.md', 'file:parts/long.md'],
  'model.temperature': [0, 0.7],
};

test('a target for each combination, in the order of the file, whose settings are those of the combination', () => {
  const cells = expand(small);
  expect(cells.map(({ use }) => use.name)).toEqual(
    ['gpt-x', 'small-y'].flatMap((name) =>
      ['short', 'long'].flatMap((system) =>
        [0, 0.7].map((temperature) => `bot[model=${name},system=${system},model.temperature=${temperature}]`),
      ),
    ),
  );
  expect(cells.at(-1)).toEqual({
    use: {
      use: 'chat',
      name: 'bot[model=small-y,system=long,model.temperature=0.7]',
      model: { use: 'openai-chat', model: 'small-y', temperature: 0.7 },
      system: { path: 'parts/long.md' },
    },
    grid: { of: 'bot', levels: { model: 'small-y', system: 'long', 'model.temperature': '0.7' } },
  });
});

test('adding a level changes no other cell', () => {
  const before = expand({ system: ['a', 'b'] });
  expect(expand({ system: ['a', 'c', 'b'] })).toEqual(expect.arrayContaining(before));
});

test('combinations are chosen by only and except, and drawn with every level equally often', () => {
  const system = ['a', 'b', 'c', 'd', 'e'];
  const names = (grid: object) => expand(grid).map(({ use }) => use.name);
  expect(names({ ...small, only: [{ model: 'small-y', system: 'long' }] })).toHaveLength(2);
  expect(names({ ...small, except: [{ model: 'small-y' }, { 'model.temperature': 0.7 }] })).toHaveLength(2);
  const prompt = ['p', 'q', 'r', 's'];
  const drawn = expand({ system, prompt, cells: 12, seed: 7 });
  expect(new Set(drawn.map(({ use }) => use.name)).size).toBe(12);
  for (const [setting, levels] of [
    ['system', system],
    ['prompt', prompt],
  ] as const) {
    const counts = levels.map((level) => drawn.filter(({ grid }) => grid?.levels[setting] === level).length);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  }
  expect(names({ system, prompt, cells: 12, seed: 7 })).toEqual(drawn.map(({ use }) => use.name));
  expect(names({ system, prompt, cells: 12, seed: 8 })).not.toEqual(drawn.map(({ use }) => use.name));
});

test('a backslash in a level is no folder and breaks no name: a file has the same name on every system, a text stays as it is', () => {
  const names = (grid: object) => expand(grid).map(({ use }) => use.name ?? '');
  expect(names({ system: [String.raw`file:prompts\short.md`, 'file:prompts/long.md'] })).toEqual([
    'bot[system=short]',
    'bot[system=long]',
  ]);
  const level = String.raw`C:\prompts\new.md`;
  const found = names({ system: [level, 'other'], only: [{ system: level }] });
  expect(found).toEqual([`bot[system=${level}]`]);
  expect(fileNameOf(found[0] ?? '')).toMatch(/^[\w.~-]+$/);
  // A filter finds this combination, and no other one.
  const { filter = [] } = parseFilter(formatFilter([equalTo('target', found)]), vocabularyOf('trial'));
  const [term] = filter;
  if (term === undefined) expect.fail('the filter has no term');
  expect(
    [level, 'C:promptsnew.md', 'other'].map((each) => compileTerm(term)([`bot[system=${each}]`])),
  ).toEqual([true, false, false]);
});

test('a level that is chosen by its name is not taken for one whose name it continues', () => {
  const grid = { model: ['gpt-4', 'gpt-4.1'], only: [{ model: 'gpt-4.1' }] };
  expect(expand(grid).map(({ use }) => use.name)).toEqual(['bot[model=gpt-4.1]']);
});

test.each([
  [{ sistem: ['a', 'b'] }, 'targets.0.grid.sistem: unknown setting. Did you mean "system"?'],
  [{ system: [] }, 'targets.0.grid.system: is an empty list: name at least one level'],
  [{ system: ['a', 'b', 'a'] }, 'targets.0.grid.system.2: "a" is there twice'],
  [{ system: [{ one: 'a' }, { two: 'a' }] }, 'targets.0.grid.system.1: "two" is there twice'],
  [{ system: 'a' }, 'targets.0.grid.system: expected a list of levels, such as `[0, 0.7]`'],
  [
    { system: [{ a: 1, b: 2 }] },
    'targets.0.grid.system.0: needs a name: write `{ short: … }` with the value of the setting',
  ],
  [
    { system: ['a'], only: [{ system: 'b' }] },
    'targets.0.grid.only.0.system: "b" is no level of system; it has a',
  ],
  [
    { system: ['a'], except: [{ system: 'a' }] },
    'targets.0.grid: has no combination left: look at `only` and `except`',
  ],
  [{ system: ['a'], cells: 2 }, 'targets.0.grid.cells: is 2, and the grid has 1 combinations'],
])('%o is refused', (grid, message) => {
  expect(messageOf(grid)).toBe(message);
});

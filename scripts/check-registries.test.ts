import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { checkRegistries } from './check-registries.ts';
import { writeTree } from './write-tree.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

function check(files: Record<string, string>): string[] {
  const root = writeTree(files);
  roots.push(root);
  return checkRegistries(root);
}

const metric = (name: string) => `
import { defineMetric } from './metric.ts';
export const ${name}Options = {};
export const ${name} = defineMetric({ name: '${name}', options: ${name}Options, create: () => null });`;

const wellMade = {
  'src/metrics/metric.ts': 'export function defineMetric(definition: object) { return definition; }',
  'src/metrics/contains.ts': metric('contains'),
  'src/metrics/contains.test.ts': '',
  'src/metrics/registry.ts': "export { contains } from './contains.ts';",
};

describe('a kind of extension', () => {
  it('is in order when each implementation is registered once and has a test', () => {
    expect(check(wellMade)).toEqual([]);
  });

  it('is not when an implementation is missing from the registry', () => {
    expect(
      check({ ...wellMade, 'src/metrics/regex.ts': metric('regex'), 'src/metrics/regex.test.ts': '' }),
    ).toEqual(['src/metrics/regex.ts: regex is not in src/metrics/registry.ts']);
  });

  it('is not when one stands in the registry twice', () => {
    const twice = `${wellMade['src/metrics/registry.ts']}\nexport { contains as has } from './contains.ts';`;
    expect(check({ ...wellMade, 'src/metrics/registry.ts': twice })).toEqual([
      'src/metrics/contains.ts: contains stands 2 times in src/metrics/registry.ts',
    ]);
  });

  it('is not when the registry lists what is no implementation', () => {
    const more = "export { contains, containsOptions } from './contains.ts';";
    expect(check({ ...wellMade, 'src/metrics/registry.ts': more })).toEqual([
      'src/metrics/registry.ts: containsOptions is no implementation exported by src/metrics/contains.ts',
    ]);
  });

  it('is not when a test is missing', () => {
    const { 'src/metrics/contains.test.ts': _, ...untested } = wellMade;
    expect(check(untested)).toEqual([
      'src/metrics/contains.ts: has no test beside it (src/metrics/contains.test.ts)',
    ]);
  });

  it('is not when the registry does anything but export', () => {
    const busy =
      "import { contains } from './contains.ts';\nexport { contains } from './contains.ts';\ncontains();";
    expect(check({ ...wellMade, 'src/metrics/registry.ts': busy })).toEqual([
      expect.stringContaining('src/metrics/registry.ts:1: a registry holds only'),
      expect.stringContaining('src/metrics/registry.ts:3: a registry holds only'),
    ]);
  });

  it('is not when there is no registry', () => {
    const { 'src/metrics/registry.ts': _, ...unlisted } = wellMade;
    expect(check(unlisted)).toEqual(['src/metrics/contains.ts: src/metrics/registry.ts is missing']);
  });
});

describe('an implementation', () => {
  it.each([
    ['a value declared to be of the kind', 'reporters', 'export const a: Reporter = make();'],
    ['a value that satisfies the kind', 'reporters', 'export const a = make() satisfies Reporter;'],
    ['a store that is defined', 'stores', 'export const a = defineStore({});'],
    ['a list of exports', 'targets', 'const a = defineTarget({});\nexport { a };'],
    [
      'a definition with more added to it',
      'targets',
      'const given = defineTarget({});\nexport const a: typeof given = Object.assign((x: object) => given(x), {});',
    ],
  ])('is recognized in %s', (_, folder, text) => {
    expect(
      check({
        [`src/${folder}/a.ts`]: text,
        [`src/${folder}/registry.ts`]: '',
        [`src/${folder}/a.test.ts`]: '',
      }),
    ).toEqual([`src/${folder}/a.ts: a is not in src/${folder}/registry.ts`]);
  });

  it.each([
    ['a helper that takes one', 'stores', 'export function a(store: Store): number { return 1; }'],
    [
      'a function that looks one up',
      'reporters',
      'export function a(name: string): Reporter { return all[name]; }',
    ],
    ['one that is not exported', 'stores', 'const a = defineStore({});'],
    ['a function that only calls the maker inside', 'targets', 'export const a = () => defineTarget({});'],
    ['a type', 'reporters', 'export interface A { make(): Reporter }'],
  ])('is not recognized in %s', (_, folder, text) => {
    expect(check({ [`src/${folder}/a.ts`]: text, [`src/${folder}/registry.ts`]: '' })).toEqual([]);
  });
});

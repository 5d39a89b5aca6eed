import { describe, expect, it } from 'vitest';
import { checkNames, checkRegistries } from './check-registries.ts';
import { checkTree } from './write-tree.ts';

const check = (files: Record<string, string>) => checkTree(checkRegistries, files);

const metric = (name: string) => `
import { defineMetric } from './metric.ts';
export const ${name}Options = {};
export const ${name} = defineMetric({ name: '${name}', options: ${name}Options, create: () => null });`;

const wellMade = {
  'src/evaluate/metrics/metric.ts': 'export function defineMetric(definition: object) { return definition; }',
  'src/evaluate/metrics/contains.ts': metric('contains'),
  'src/evaluate/metrics/contains.test.ts': '',
  'src/evaluate/metrics/registry.ts': "export { contains } from './contains.ts';",
};

describe('a kind of extension', () => {
  it('is in order when each implementation is registered once and has a test', () => {
    expect(check(wellMade)).toEqual([]);
  });

  it('is not when an implementation is missing from the registry', () => {
    expect(
      check({
        ...wellMade,
        'src/evaluate/metrics/regex.ts': metric('regex'),
        'src/evaluate/metrics/regex.test.ts': '',
      }),
    ).toEqual(['src/evaluate/metrics/regex.ts: regex is not in src/evaluate/metrics/registry.ts']);
  });

  it('is not when one stands in the registry twice', () => {
    const twice = `${wellMade['src/evaluate/metrics/registry.ts']}\nexport { contains as has } from './contains.ts';`;
    expect(check({ ...wellMade, 'src/evaluate/metrics/registry.ts': twice })).toEqual([
      'src/evaluate/metrics/contains.ts: contains stands 2 times in src/evaluate/metrics/registry.ts',
    ]);
  });

  it('is not when the registry lists what is no implementation', () => {
    const more = "export { contains, containsOptions } from './contains.ts';";
    expect(check({ ...wellMade, 'src/evaluate/metrics/registry.ts': more })).toEqual([
      'src/evaluate/metrics/registry.ts: containsOptions is no implementation exported by src/evaluate/metrics/contains.ts',
    ]);
  });

  it('is not when a test is missing', () => {
    const { 'src/evaluate/metrics/contains.test.ts': _, ...untested } = wellMade;
    expect(check(untested)).toEqual([
      'src/evaluate/metrics/contains.ts: has no test beside it (src/evaluate/metrics/contains.test.ts)',
    ]);
  });

  it('is not when the registry does anything but export', () => {
    const busy =
      "import { contains } from './contains.ts';\nexport { contains } from './contains.ts';\ncontains();";
    expect(check({ ...wellMade, 'src/evaluate/metrics/registry.ts': busy })).toEqual([
      expect.stringContaining('src/evaluate/metrics/registry.ts:1: a registry holds only'),
      expect.stringContaining('src/evaluate/metrics/registry.ts:3: a registry holds only'),
    ]);
  });

  it('is not when there is no registry', () => {
    const { 'src/evaluate/metrics/registry.ts': _, ...unlisted } = wellMade;
    expect(check(unlisted)).toEqual([
      'src/evaluate/metrics/contains.ts: src/evaluate/metrics/registry.ts is missing',
    ]);
  });
});

describe('the name of a metric', () => {
  const find = (text: string, file = 'src/look/report/a.ts') =>
    checkTree((root) => checkNames(root, ['tool-usage', 'latency']), { [file]: text });
  const declares = 'ask for what a metric declares, such as its aspect';

  it.each([
    ['a text', "const one = 1;\nexport const a = name === 'tool-usage';", 2, 'names the metric tool-usage'],
    ['a template', 'export const a = `tool-usage`;', 1, 'names the metric tool-usage'],
    ['a list', "export const a = new Set(['latency', 'tool-usage']);", 1, 'names the metric tool-usage'],
    ['a comparison', 'export const a = use.use === wanted;', 1, 'reads the name of an extension'],
    ['a look-up', 'export const a = all.has(metric.use.use);', 1, 'reads the name of an extension'],
  ])('is found in %s', (_, text, line, what) => {
    expect(find(text)).toEqual([`src/look/report/a.ts:${line}: ${what}; ${declares}`]);
  });

  it.each([
    ['an ordinary word', "export const a = measure === 'latency';"],
    ['part of a text', "export const a = 'how tools are used: see tool-usage';"],
    ['a comparison of two runs', 'export const a = older.use.use !== newer.use.use;'],
  ])('is not found in %s', (_, text) => {
    expect(find(text)).toEqual([]);
  });

  it('may stand in its own folder, in the config and in tests', () => {
    for (const file of [
      'src/evaluate/metrics/a.ts',
      'src/library/config/a.ts',
      'src/look/report/a.test.ts',
      'src/core/schema/metric.ts',
    ]) {
      expect(find("export const a = 'tool-usage';", file)).toEqual([]);
    }
  });
});

describe('an implementation', () => {
  it.each([
    ['a value declared to be of the kind', 'look/reporters', 'export const a: Reporter = make();'],
    ['a value that satisfies the kind', 'look/reporters', 'export const a = make() satisfies Reporter;'],
    ['a store that is defined', 'stores', 'export const a = defineStore({});'],
    ['a list of exports', 'evaluate/targets', 'const a = defineTarget({});\nexport { a };'],
    [
      'a definition with more added to it',
      'evaluate/targets',
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
      'look/reporters',
      'export function a(name: string): Reporter { return all[name]; }',
    ],
    ['one that is not exported', 'stores', 'const a = defineStore({});'],
    [
      'a function that only calls the maker inside',
      'evaluate/targets',
      'export const a = () => defineTarget({});',
    ],
    ['a type', 'look/reporters', 'export interface A { make(): Reporter }'],
  ])('is not recognized in %s', (_, folder, text) => {
    expect(check({ [`src/${folder}/a.ts`]: text, [`src/${folder}/registry.ts`]: '' })).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { checkDashboardLayers, checkLayers } from './check-layers.ts';
import { checkTree } from './write-tree.ts';

const check = (files: Record<string, string>) => checkTree(checkLayers, files);

describe('the import rule', () => {
  it('has nothing to say about imports that keep to their layer', () => {
    const found = check({
      'src/cli/run.ts': "import { run } from '../run/run.ts';\nimport path from 'node:path';",
      'src/config/resolve.ts': "import * as metrics from '../metrics/registry.ts';",
      'src/run/run.ts':
        "import type { Metric } from '../metrics/metric.ts';\nimport { a } from '../lib/a.ts';",
      'src/metrics/registry.ts': "export { keywords } from './keywords.ts';",
      'src/metrics/index.ts': "export * from './registry.ts';",
      'src/metrics/keywords.ts': "import type { Judge } from '../judges/judge.ts';",
      'src/lib/a.ts': "import { z } from 'zod';",
      'src/version.ts': "import packageJson from '../package.json' with { type: 'json' };",
    });
    expect(found).toEqual([]);
  });

  it('names the file, the line and what is allowed', () => {
    const found = check({ 'src/lib/a.ts': "\nimport { b } from '../schema/b.ts';", 'src/schema/b.ts': '' });
    expect(found).toEqual(['src/lib/a.ts:2 imports src/schema/b.ts: lib/ may import nothing else of src/']);
  });

  it.each([
    ['a type', "import type { A } from '../stores/sqlite.ts';"],
    ['a re-export', "export { a } from '../stores/sqlite.ts';"],
    ['a re-export of everything', "export * from '../stores/sqlite.ts';"],
    ['a dynamic import', "const a = await import('../stores/sqlite.ts');"],
    ['an import inside a type', "type A = import('../stores/sqlite.ts').A;"],
  ])('counts %s as an import', (_, text) => {
    expect(check({ 'src/run/run.ts': text })).toEqual([
      expect.stringContaining('src/run/run.ts:1 imports src/stores/sqlite.ts: run/ may import gate/, '),
    ]);
  });

  it('does not take text and comments for imports', () => {
    const text = "// import '../stores/sqlite.ts';\nexport const a = \"import '../stores/sqlite.ts'\";";
    expect(check({ 'src/run/run.ts': text })).toEqual([]);
  });

  it('lets only the configuration and the index of the kind read a registry', () => {
    const found = check({ 'src/cli/run.ts': "import * as metrics from '../metrics/registry.ts';" });
    expect(found).toEqual([
      "src/cli/run.ts:1 imports src/metrics/registry.ts: only config/ and the kind's index.ts may import a registry",
    ]);
  });

  it('lets tests import anything, and nothing import a test', () => {
    const found = check({
      'src/lib/a.test.ts': "import { run } from '../cli/run.ts';",
      'src/cli/run.ts': "import '../lib/a.test.ts';",
    });
    expect(found).toEqual(['src/cli/run.ts:1 imports src/lib/a.test.ts: nothing may import a test']);
  });

  it('keeps Node.js out of what runs in a browser', () => {
    const found = check({ 'src/schema/case.ts': "import { createHash } from 'node:crypto';" });
    expect(found).toEqual(['src/schema/case.ts:1 imports node:crypto: schema/ must run in a browser too']);
  });

  it('keeps Node.js out of what is loaded with it, but for types', () => {
    const found = check({
      'src/report/rows.ts': "import { a } from '../lib/a.ts';\nimport type { B } from '../lib/b.ts';",
      'src/lib/a.ts': "import path from 'node:path';",
      'src/lib/b.ts': "import fs from 'node:fs';",
    });
    expect(found).toEqual([
      'src/lib/a.ts:1 imports node:path, and is loaded with src/report/rows.ts: report/ must run in a browser too',
    ]);
  });

  it('names folders that it does not know', () => {
    expect(check({ 'src/helpers/a.ts': '', 'src/lib/a.ts': '' })).toEqual([
      expect.stringContaining('src/helpers: not a known place'),
    ]);
  });
});

describe('circles', () => {
  it('are found across files, type imports included', () => {
    const found = check({
      'src/lib/a.ts': "import { b } from './b.ts';",
      'src/lib/b.ts': "import type { C } from './c.ts';",
      'src/lib/c.ts': "export * from './a.ts';",
    });
    expect(found).toEqual(['a circle: src/lib/a.ts → src/lib/b.ts → src/lib/c.ts → src/lib/a.ts']);
  });

  it('are not seen where two ways lead to the same file', () => {
    const found = check({
      'src/lib/a.ts': "import './b.ts';\nimport './c.ts';",
      'src/lib/b.ts': "import './d.ts';",
      'src/lib/c.ts': "import './d.ts';",
      'src/lib/d.ts': '',
    });
    expect(found).toEqual([]);
  });
});

describe('the dashboard', () => {
  const checkDashboard = (files: Record<string, string>) => checkTree(checkDashboardLayers, files);

  it('may import what runs in a browser', () => {
    const found = checkDashboard({
      'dashboard/src/pages/runs/runs-page.tsx':
        "import { a } from '../../parts/a.tsx';\nimport { format } from '../../../../src/report/format.ts';",
      'dashboard/src/parts/a.tsx': 'export const a = <p>text</p>;',
      'src/report/format.ts': "import type { Stats } from 'node:fs';",
    });
    expect(found).toEqual([]);
  });

  it.each([
    [
      'another part of src/',
      "import '../../../../src/stores/store.ts';",
      'the dashboard may import schema/, ',
    ],
    ['another page', "import '../run/run-page.tsx';", 'a page imports no other page'],
    ['the routes', "import '../../routes.tsx';", 'pages/ may import layout/, keys/, parts/, data/'],
    ['a file outside of both', "import '../../../../test/a.ts';", 'it lies outside of the dashboard'],
  ])('may not import %s', (_, text, message) => {
    const found = checkDashboard({ 'dashboard/src/pages/runs/runs-page.tsx': text });
    expect(found).toEqual([expect.stringContaining(message)]);
  });

  it('loads no module of Node.js, however far away', () => {
    const found = checkDashboard({
      'dashboard/src/parts/a.tsx': "import { b } from '../../../src/lib/b.ts';",
      'src/lib/b.ts': "import { c } from './c.ts';",
      'src/lib/c.ts': "import path from 'node:path';",
    });
    expect(found).toEqual(['src/lib/c.ts:1 imports node:path: the dashboard runs in a browser']);
  });
});

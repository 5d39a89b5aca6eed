import { describe, expect, it } from 'vitest';
import { checkDashboardLayers, checkLayers } from './check-layers.ts';
import { rooms } from './layers.ts';
import { checkTree } from './write-tree.ts';

const check = (files: Record<string, string>) => checkTree(checkLayers, files);

describe('the import rule', () => {
  it('has nothing to say about imports that keep to their room', () => {
    const found = check({
      'src/cli/run.ts': "import { run } from '../evaluate/run/run.ts';\nimport path from 'node:path';",
      'src/library/config/resolve.ts': "import * as metrics from '../../evaluate/metrics/registry.ts';",
      'src/evaluate/run/run.ts':
        "import type { Metric } from '../metrics/metric.ts';\nimport { a } from '../../core/lib/a.ts';",
      'src/evaluate/metrics/registry.ts': "export { keywords } from './keywords.ts';",
      'src/evaluate/metrics/index.ts': "export * from './registry.ts';",
      'src/evaluate/metrics/keywords.ts': "import type { Judge } from '../judges/judge.ts';",
      'src/core/lib/a.ts': "import { z } from 'zod';",
      'src/core/own-package.ts': "import packageJson from '../../package.json' with { type: 'json' };",
    });
    expect(found).toEqual([]);
  });

  it('names the file, the line and what is allowed', () => {
    const found = check({ 'src/decide/a.ts': "\nimport { b } from '../look/b.ts';", 'src/look/b.ts': '' });
    expect(found).toEqual(['src/decide/a.ts:2 imports src/look/b.ts: decide/ may import stores/, core/']);
  });

  it('names a shared file of evaluate/ that no other folder imports', () => {
    const shared = "import type { Chat } from './conversation.ts';";
    const files = { 'src/evaluate/models/conversation.ts': '', 'src/evaluate/models/model.ts': shared };
    expect(check(files)).toEqual([
      'src/evaluate/models/conversation.ts: no other folder of evaluate/ imports it, so layers.ts need not name it',
    ]);
    const used = { ...files, 'src/evaluate/judges/judge.ts': shared.replace('./', '../models/') };
    expect(check(used)).toEqual([]);
  });

  it.each([
    ['a type', "import type { A } from '../../look/queries/runs.ts';"],
    ['a re-export', "export { a } from '../../look/queries/runs.ts';"],
    ['a re-export of everything', "export * from '../../look/queries/runs.ts';"],
    ['a dynamic import', "const a = await import('../../look/queries/runs.ts');"],
    ['an import inside a type', "type A = import('../../look/queries/runs.ts').A;"],
  ])('counts %s as an import', (_, text) => {
    expect(check({ 'src/evaluate/run/run.ts': text })).toEqual([
      'src/evaluate/run/run.ts:1 imports src/look/queries/runs.ts: evaluate/ may import decide/, stores/, core/',
    ]);
  });

  it('does not take text and comments for imports', () => {
    const text =
      "// import '../../look/queries/runs.ts';\nexport const a = \"import '../../look/queries/runs.ts'\";";
    expect(check({ 'src/evaluate/run/run.ts': text })).toEqual([]);
  });

  it('lets only the configuration and the index of the kind read a registry', () => {
    const found = check({ 'src/cli/run.ts': "import * as metrics from '../evaluate/metrics/registry.ts';" });
    expect(found).toEqual([
      "src/cli/run.ts:1 imports src/evaluate/metrics/registry.ts: only library/config/ and the kind's index.ts may import a registry",
    ]);
  });

  it('lets a folder of evaluate/ see the interfaces of its others alone', () => {
    const found = check({
      'src/evaluate/run/run.ts':
        "import type { Target } from '../targets/target.ts';\nimport { http } from '../targets/http.ts';",
    });
    expect(found).toEqual([
      'src/evaluate/run/run.ts:2 imports src/evaluate/targets/http.ts: a folder of evaluate/ sees the interfaces of its others alone',
    ]);
  });

  it('lets only those who choose a store see how it is implemented', () => {
    const found = check({
      'src/look/a.ts': "import type { Store } from '../stores/store.ts';\nimport '../stores/memory.ts';",
      'src/library/config/a.ts': "import '../../stores/memory.ts';",
    });
    expect(found).toEqual([
      'src/look/a.ts:2 imports src/stores/memory.ts: look/ sees what is the same for every store alone',
    ]);
  });

  it('lets tests import anything, and nothing import a test', () => {
    const found = check({
      'src/core/lib/a.test.ts': "import { run } from '../../cli/run.ts';",
      'src/cli/run.ts': "import '../core/lib/a.test.ts';",
    });
    expect(found).toEqual(['src/cli/run.ts:1 imports src/core/lib/a.test.ts: nothing may import a test']);
  });

  it('keeps Node.js out of what runs in a browser', () => {
    const found = check({ 'src/core/schema/case.ts': "import { createHash } from 'node:crypto';" });
    expect(found).toEqual([
      'src/core/schema/case.ts:1 imports node:crypto: core/schema/ must run in a browser too',
    ]);
  });

  it('keeps Node.js out of what is loaded with it, but for types', () => {
    const found = check({
      'src/look/report/rows.ts':
        "import { a } from '../../core/lib/a.ts';\nimport type { B } from '../../core/lib/b.ts';",
      'src/core/lib/a.ts': "import path from 'node:path';",
      'src/core/lib/b.ts': "import fs from 'node:fs';",
    });
    expect(found).toEqual([
      'src/core/lib/a.ts:1 imports node:path, and is loaded with src/look/report/rows.ts: look/report/ must run in a browser too',
    ]);
  });

  it('names folders that it does not know', () => {
    expect(check({ 'src/helpers/a.ts': '', 'src/core/lib/a.ts': '' })).toEqual([
      expect.stringContaining('src/helpers: not a known place'),
    ]);
  });
});

describe('the picture of the rooms', () => {
  it('leads downward alone', () => {
    const names = Object.keys(rooms);
    for (const [room, others] of Object.entries(rooms))
      for (const other of others) expect(names.indexOf(other)).toBeGreaterThan(names.indexOf(room));
  });
});

describe('circles', () => {
  it('are found across files, type imports included', () => {
    const found = check({
      'src/core/lib/a.ts': "import { b } from './b.ts';",
      'src/core/lib/b.ts': "import type { C } from './c.ts';",
      'src/core/lib/c.ts': "export * from './a.ts';",
    });
    expect(found).toEqual([
      'a circle: src/core/lib/a.ts → src/core/lib/b.ts → src/core/lib/c.ts → src/core/lib/a.ts',
    ]);
  });

  it('are found across folders that lie side by side, at every level', () => {
    const found = check({
      'src/cli/commands/a.ts': "import '../flags/a.ts';",
      'src/cli/flags/a.ts': '',
      'src/cli/flags/b.ts': "import type { B } from '../commands/b.ts';",
      'src/cli/commands/b.ts': '',
    });
    expect(found).toEqual(['a circle of folders: src/cli/commands/ → src/cli/flags/ → src/cli/commands/']);
  });

  it('are not seen where two ways lead to the same file', () => {
    const found = check({
      'src/core/lib/a.ts': "import './b.ts';\nimport './c.ts';",
      'src/core/lib/b.ts': "import './d.ts';",
      'src/core/lib/c.ts': "import './d.ts';",
      'src/core/lib/d.ts': '',
    });
    expect(found).toEqual([]);
  });
});

describe('the dashboard', () => {
  const checkDashboard = (files: Record<string, string>) => checkTree(checkDashboardLayers, files);

  it('may import what runs in a browser', () => {
    const found = checkDashboard({
      'dashboard/src/pages/runs/runs-page.tsx':
        "import { a } from '../../parts/a.tsx';\nimport { format } from '../../../../src/look/report/format.ts';",
      'dashboard/src/parts/a.tsx': 'export const a = <p>text</p>;',
      'src/look/report/format.ts': "import type { Stats } from 'node:fs';",
    });
    expect(found).toEqual([]);
  });

  it.each([
    [
      'another part of src/',
      "import '../../../../src/stores/store.ts';",
      'the dashboard may import core/, look/report/ of src/',
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
      'dashboard/src/parts/a.tsx': "import { b } from '../../../src/core/lib/b.ts';",
      'src/core/lib/b.ts': "import { c } from './c.ts';",
      'src/core/lib/c.ts': "import path from 'node:path';",
    });
    expect(found).toEqual(['src/core/lib/c.ts:1 imports node:path: the dashboard runs in a browser']);
  });
});

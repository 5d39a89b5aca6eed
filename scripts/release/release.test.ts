import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { usedActions, workflowFiles } from './actions.ts';
import { isPermitted } from './licenses.ts';
import { planSites } from './site-versions.ts';
import { areOne, readVersions, toPythonVersion } from './versions.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('a version of npm has one spelling for PyPI, or none', () => {
  expect(['0.3.0', '0.3.0-rc.1', '1.0.0-beta.12', '1.0.0-alpha.0'].map(toPythonVersion)).toEqual([
    '0.3.0',
    '0.3.0rc1',
    '1.0.0b12',
    '1.0.0a0',
  ]);
  expect(() => toPythonVersion('0.3.0-nightly')).toThrow('has no form for PyPI');
});

test('the packages of npm and of PyPI have one version', () => {
  const [, npm, python] = readVersions(root, 'v0.0.0');
  expect(python?.version).toBe(toPythonVersion(npm?.version ?? ''));
});

test('a tag is released only when all four places name its version', () => {
  const versions = (...four: (string | null)[]) => four.map((version) => ({ place: '', version }));
  expect(areOne(versions('0.3.0-rc.1', '0.3.0-rc.1', '0.3.0rc1', '0.3.0-rc.1'))).toBe(true);
  for (const place of [0, 1, 2, 3]) {
    expect(areOne(versions(...['0.3.0', '0.3.0', '0.3.0', '0.3.0'].with(place, '0.2.0')))).toBe(false);
    expect(
      areOne([...versions('0.3.0', '0.3.0', '0.3.0', '0.3.0')].with(place, { place: '', version: null })),
    ).toBe(false);
  }
});

test('the site has the last release at its root, the main branch, and the last release of each minor version', () => {
  const tags = ['v0.2.0', 'v0.10.1', 'v0.9.3', 'v0.10.0', 'v0.11.0-rc.1', 'v0.2.11', 'vnext', ''];
  const places = planSites(tags, 'main').map(({ folder, name, ref }) => `${folder} ${name} ${ref}`);
  expect(places).toEqual([
    ' 0.10.1 v0.10.1',
    'next/ next main',
    'v0.10/ 0.10 v0.10.1',
    'v0.9/ 0.9 v0.9.3',
    'v0.2/ 0.2 v0.2.11',
  ]);
  expect(planSites(['v0.1.0-rc.1'], 'main').map(({ folder, ref }) => `${folder} ${ref}`)).toEqual([
    ' main',
    'next/ main',
  ]);
});

test('every action of a workflow is a commit with the version it comes from, and no job has more rights than it names', () => {
  const actions = usedActions(root);
  expect(actions.length).toBeGreaterThan(20);
  for (const { file, repository, commit, version } of actions)
    expect({ file, repository, commit, version }).toMatchObject({
      commit: expect.stringMatching(/^[\da-f]{40}$/),
      version: expect.stringMatching(/^v\d+\.\d+\.\d+$/),
    });
  for (const file of workflowFiles(root)) {
    const text = readFileSync(path.join(root, file), 'utf8');
    expect(text.match(/^\s*(?:- )?uses: (?!\.\/)/gm)?.length).toBe(
      actions.filter((action) => action.file === file).length,
    );
    const { permissions, jobs } = parse(text) as {
      permissions: object;
      jobs: Record<string, { permissions?: object; uses?: string }>;
    };
    expect({ file, permissions }).toEqual({ file, permissions: {} });
    for (const job of Object.values(jobs)) expect(job.permissions).toBeTypeOf('object');
  }
});

test('the scripts that workflows start are there, and nothing but the upload asks for an identity', () => {
  const workflows = workflowFiles(root).map((file) => readFileSync(path.join(root, file), 'utf8'));
  const started = Array.from(
    workflows.join('\n').matchAll(/scripts\/release\/[\w-]+\.\w+/g),
    ([script]) => script,
  );
  expect(started).toContain('scripts/release/build-sites.ts');
  expect(started.filter((script) => !existsSync(path.join(root, script)))).toEqual([]);
  const text = readFileSync(path.join(root, '.github/workflows/release.yml'), 'utf8');
  const { jobs } = parse(text) as { jobs: Record<string, { permissions: Record<string, string> }> };
  const identified = Object.keys(jobs).filter((name) => 'id-token' in (jobs[name]?.permissions ?? {}));
  expect(identified).toEqual(['npm', 'pypi', 'container', 'site', 'release']);
  // A release puts up the site by the workflow that each push to main starts.
  const site = readFileSync(path.join(root, '.github/workflows/site.yml'), 'utf8');
  expect(parse(text)).toMatchObject({ jobs: { site: { uses: './.github/workflows/site.yml' } } });
  expect(parse(site)).toMatchObject({ on: { push: { branches: ['main'] }, workflow_call: null } });
});

test('a license is permitted if it asks for no more than its text, in every part', () => {
  for (const license of ['MIT', 'ISC', 'BSD-3-Clause', 'Apache-2.0', '(MIT OR GPL-3.0-only)', 'MIT AND ISC'])
    expect({ license, isPermitted: isPermitted(license) }).toEqual({ license, isPermitted: true });
  for (const license of [
    'GPL-3.0-only',
    'MIT AND LGPL-2.1-only',
    'SEE LICENSE IN LICENSE.md',
    'MPL-2.0',
    'UNLICENSED',
  ])
    expect({ license, isPermitted: isPermitted(license) }).toEqual({ license, isPermitted: false });
});

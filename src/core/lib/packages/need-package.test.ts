import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ownFile } from '../../own-package.ts';
import { fits } from './installed-version.ts';
import { needPackage } from './need-package.ts';

/** Creates a project with a package in it. */
function createProject(name: string, version: string) {
  const project = mkdtempDisposableSync(path.join(tmpdir(), 'touchstone-need-'));
  const folder = path.join(project.path, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name, version, main: 'index.js' }));
  writeFileSync(path.join(project.path, 'package.json'), '{}');
  return project;
}

function notFound(name: string): Promise<never> {
  const error = Object.assign(new Error(`Cannot find module '${name}'\nRequire stack:\n- /somewhere`), {
    code: 'MODULE_NOT_FOUND',
  });
  return Promise.reject(error);
}

const postgres = { for: 'A store in PostgreSQL', load: async () => await Promise.resolve('pg') };

test('a package that is missing is installed by a command to paste', async () => {
  const llama = { for: 'A local GGUF model', load: async () => await notFound('node-llama-cpp') };
  const error = {
    code: 'package-missing',
    message: 'A local GGUF model needs the package node-llama-cpp, which is not installed.',
  };
  const install = 'npm install --save-dev node-llama-cpp@3';
  await expect(needPackage('node-llama-cpp', { ...llama, folder: ownFile() })).rejects.toMatchObject({
    ...error,
    remedy: install,
  });
  // Touchstone is somewhere else, as by npx and pip.
  using project = mkdtempDisposableSync(path.join(tmpdir(), 'touchstone-need-'));
  const inside = path.join(project.path, 'evals');
  mkdirSync(inside);
  const elsewhere = { ...llama, folder: inside, also: '(0.7 GB)' };
  await expect(needPackage('node-llama-cpp', elsewhere)).rejects.toMatchObject({
    ...error,
    remedy: `In ${inside}: npm init -y, then ${install} (0.7 GB)`,
  });
  writeFileSync(path.join(project.path, 'package.json'), '{}');
  await expect(needPackage('node-llama-cpp', elsewhere)).rejects.toMatchObject({
    ...error,
    remedy: `In ${project.path}: ${install} (0.7 GB)`,
  });
});

test('a package that is too old is not loaded', async () => {
  using project = createProject('pg', '7.18.2');
  await expect(needPackage('pg', { ...postgres, folder: project.path })).rejects.toMatchObject({
    code: 'package-missing',
    message: 'A store in PostgreSQL needs pg 8.16 or newer; node_modules has 7.18.2.',
    remedy: `In ${project.path}: npm install --save-dev pg@8`,
  });
});

test('a package that throws is not called missing, and its error is passed on', async () => {
  using project = createProject('pg', '8.16.0');
  const load = async () => await notFound('pg-native');
  const error = await needPackage('pg', { ...postgres, load, folder: project.path }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({
    code: 'package-missing',
    message: "The package pg is installed and cannot be loaded: Cannot find module 'pg-native'",
    cause: { code: 'MODULE_NOT_FOUND' },
  });
});

test('the package of the project comes before the one of Touchstone', async () => {
  using project = createProject('pg', '8.99.0');
  const from: string[] = [];
  const load = async (found: string) => await Promise.resolve(from.push(found));
  await needPackage('pg', { ...postgres, load, folder: project.path });
  await needPackage('pg', { ...postgres, load, folder: tmpdir() });
  expect(from).toEqual([path.join(project.path, 'package.json'), ownFile('package.json')]);
});

test.each([
  ['8.16.0', '^8.16.0', true],
  ['8.23.1', '^8.16.0', true],
  ['8.15.9', '^8.16.0', false],
  ['9.0.0', '^8.16.0', false],
  ['6.0.0', '>=5.6.0', true],
  ['5.6.0-rc.1', '>=5.6.0', true],
  ['5.5.9', '>=5.6.0', false],
])('%s in %s: %s', (version, range, isFit) => {
  expect(fits(version, range)).toBe(isFit);
});

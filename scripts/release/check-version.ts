// Fails unless a tag, package.json, pyproject.toml and the top of CHANGELOG.md name one version:
//   node scripts/release/check-version.ts v0.2.0
import path from 'node:path';
import { areOne, readVersions } from './versions.ts';

const [tag] = process.argv.slice(2);
if (tag === undefined) throw new Error('Give the tag: node scripts/release/check-version.ts v0.2.0');
const versions = readVersions(path.resolve(import.meta.dirname, '../..'), tag);
const isOne = areOne(versions);
for (const { place, version } of versions) console.log(`${isOne ? '✓' : '✗'} ${place}: ${version ?? 'none'}`);
if (!isOne) {
  console.error('These are one version, 0.3.0-rc.1 being 0.3.0rc1 for Python, before anything is released.');
  process.exitCode = 1;
}

// Makes what a release uploads, from a checkout that is built: the tarball for npm, the wheel made from it, the bill of materials, and
// the hashes of all three.
//   node scripts/release/make-files.ts release-files
import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sha256Of } from './sha256.ts';

const [given] = process.argv.slice(2);
if (given === undefined)
  throw new Error('Give the folder for the files: node scripts/release/make-files.ts release-files');
const root = path.resolve(import.meta.dirname, '../..');
const folder = path.resolve(given);
mkdirSync(folder, { recursive: true });
if (globSync('*', { cwd: folder }).length > 0) throw new Error(`${given} has files. Give a new folder.`);

execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: root });
const [tarball = ''] = globSync('*.tgz', { cwd: folder });
const makeWheel = [path.join(import.meta.dirname, 'wheel.ts'), path.join(folder, tarball), folder];
execFileSync(process.execPath, makeWheel, { stdio: 'inherit' });
copyFileSync(path.join(root, 'dist', 'sbom.cdx.json'), path.join(folder, 'sbom.cdx.json'));
const lines = globSync('*', { cwd: folder })
  .sort()
  .map((file) => `${sha256Of(path.join(folder, file))}  ${file}\n`);
writeFileSync(path.join(folder, 'SHA256SUMS'), lines.join(''));
process.stdout.write(lines.join(''));

// Prints the notes of a release: the section of a version in CHANGELOG.md.
//   node scripts/release/notes.ts v0.2.0
import { readFileSync } from 'node:fs';
import path from 'node:path';

const version = (process.argv[2] ?? '').replace(/^v/, '');
const changelog = readFileSync(path.resolve(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
const section = changelog
  .split(/^(?=## )/m)
  .find((part) => /^## \[?v?([^\s\]]+)/.exec(part)?.[1] === version);
if (version === '' || section === undefined)
  throw new Error(`CHANGELOG.md has no section ${version || 'of a version'}.`);
process.stdout.write(`${section.slice(section.indexOf('\n')).trim()}\n`);

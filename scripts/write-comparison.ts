// Writes the table of README.md from site/compare.json. `--check` reports whether it is out of date; with `--release`, also what was
// read too long ago.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { printFindings } from './print-findings.ts';
import { comparisonTable, findOldClaims, readComparison } from './site/comparison.ts';
import { withTables } from './write-call-tables.ts';

const root = path.resolve(import.meta.dirname, '..');
const file = path.join(root, 'README.md');
const before = readFileSync(file, 'utf8');
const comparison = readComparison(root);
const after = withTables(before, { compared: () => comparisonTable(comparison) });
if (process.argv.includes('--check')) {
  printFindings(
    [
      ...(after === before ? [] : ['README.md: the comparison with other tools is out of date']),
      ...(process.argv.includes('--release') ? findOldClaims(comparison, new Date()) : []),
    ],
    'the comparison with other tools is the one of site/compare.json',
    'Run `node scripts/write-comparison.ts`; read what is old at its source again.',
  );
} else writeFileSync(file, after);

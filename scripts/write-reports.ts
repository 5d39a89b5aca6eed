// Writes the reports in docs/reading-a-report.md from a run of the example that the page names: `npm run reports`. `--check` only says
// whether they are out of date; times, and ids of runs, differ from run to run and do not count.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { printFindings } from './print-findings.ts';
import { withTables } from './write-call-tables.ts';

const root = path.resolve(import.meta.dirname, '..');
const file = path.join(root, 'docs', 'reading-a-report.md');
const page = readFileSync(file, 'utf8');
const written = withTables(page, createReports());
if (!process.argv.includes('--check')) writeFileSync(file, written);
else if (withoutTimes(written) === withoutTimes(page))
  printFindings([], 'the reports in pages are what the program prints');
else printFindings(['docs/reading-a-report.md: npm run reports'], '');

/** Runs the example, and returns what goes between the comments of the page, by their names. */
function createReports(): Readonly<Record<string, () => string>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-reports-'));
  try {
    // A copy, so that no path or commit of this checkout is in a report.
    cpSync(path.join(root, 'examples', 'property-assistant'), folder, {
      recursive: true,
      filter: (source) => !source.includes('.touchstone'),
    });
    const screen = start(['run', '--target', 'v1'], folder);
    const [numbers = ''] = start(['show'], folder).split('\n  Did not pass');
    return { 'first screen': () => inBlock(screen), 'all numbers': () => inBlock(numbers) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function start(words: readonly string[], cwd: string): string {
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'bin', 'touchstone.js'), ...words],
    { cwd, encoding: 'utf8', env: { ...process.env, COLUMNS: '80', NO_COLOR: '1', TZ: 'UTC' } },
  );
  if (status !== 0) throw new Error(`touchstone ${words.join(' ')} ended with ${status}:\n${stderr}`);
  return stdout;
}

function inBlock(report: string): string {
  return `\`\`\`text\n${report.trim()}\n\`\`\``;
}

/** Returns a page without what differs from run to run. */
function withoutTimes(text: string): string {
  return text
    .replaceAll(/\d{8}-\d{6}-\w{4}/g, 'RUN')
    .replaceAll(/\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC/g, 'TIME')
    .replaceAll(/^.*latency .*$|· [\d.]+ m?s$/gm, '');
}

// Checks the package as npm would publish it: publint and "are the types wrong", the files that are packed, by folder, and the size of
// the archive. With --write it records the files and the size after a look at them.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { printFindings } from './print-findings.ts';

const execute = promisify(execFile);
const root = path.resolve(import.meta.dirname, '..');
const record = path.join(root, 'test', 'release', 'packed-files.txt');

/** The most by which the archive may grow over the recorded size before the record is renewed. */
const mostGrowth = 1.1;

interface Packed {
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/**
 * Returns the record of a package: the size of its archive, and its folders with their numbers of files. Folders deeper than three
 * levels count with the folder that they are in, and the chunks of a build as some.
 */
export function recordOf({ size, files }: Packed): string {
  const counts = new Map<string, number>();
  for (const { path: file } of files) {
    const folder = path.posix.dirname(file).split('/').slice(0, 3).join('/');
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const lines = Array.from(counts, ([folder, count]) => {
    // The bundler decides how many files of code and of pages there are.
    const isSplit = /^dist\/(?:chunks|dashboard)/.test(folder);
    return `${folder} ${isSplit ? 'some' : count}`;
  });
  return `${[`archive ${Math.round(size / 1000)} kB`, ...lines.toSorted()].join('\n')}\n`;
}

/** Returns how a package differs from its record, one line each. */
export function compareRecords(before: string, after: string): string[] {
  const read = (text: string) => new Map(text.trim().split('\n').map(splitLine));
  const [recorded, found] = [read(before), read(after)];
  const sizeOf = (record: ReadonlyMap<string, string>) => Number.parseInt(record.get('archive') ?? '0', 10);
  const findings: string[] = [];
  if (sizeOf(found) > mostGrowth * sizeOf(recorded))
    findings.push(
      `the archive has ${sizeOf(found)} kB, more than 10 % over the recorded ${sizeOf(recorded)}`,
    );
  for (const name of [...new Set([...recorded.keys(), ...found.keys()])].toSorted()) {
    const [was = 'no', is = 'no'] = [recorded.get(name), found.get(name)];
    if (name !== 'archive' && was !== is)
      findings.push(`${name}: ${is} files are packed, ${was} are recorded`);
  }
  return findings;
}

function splitLine(line: string): [string, string] {
  const at = line.lastIndexOf(' ');
  return line.startsWith('archive ') ? ['archive', line.slice(8)] : [line.slice(0, at), line.slice(at + 1)];
}

/** Runs a program of the project and returns what it says when it fails. */
async function complaintOf(program: string, args: readonly string[]): Promise<string[]> {
  try {
    await execute(process.execPath, [path.join(root, 'node_modules', program), ...args], { cwd: root });
    return [];
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return [`${stdout}${stderr}`.trim()];
  }
}

async function checkPackage(isWriting: boolean): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-package-'));
  try {
    const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
    const { stdout } = await execute('npm', args, { cwd: root, maxBuffer: 64e6 });
    const [packed] = JSON.parse(stdout) as (Packed & { readonly filename: string })[];
    if (packed === undefined) throw new Error('npm has packed nothing.');
    const archive = path.join(folder, packed.filename);
    const now = recordOf({ ...packed, size: statSync(archive).size });
    if (isWriting) writeFileSync(record, now);
    const [published, typed] = await Promise.all([
      complaintOf('publint/src/cli.js', ['run', '--strict', archive]),
      complaintOf('@arethetypeswrong/cli/dist/index.js', [
        archive,
        '--profile',
        'esm-only',
        '--exclude-entrypoints',
        './schemas/*',
        './templates/*',
        '--no-emoji',
        '--format',
        'ascii',
      ]),
    ]);
    return [
      ...published,
      ...typed,
      ...compareRecords(readFileSync(record, 'utf8'), now).map(
        (line) => `${line}; look at it, then: npm run check:package -- --write`,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main)
  printFindings(
    await checkPackage(process.argv.includes('--write')),
    'The package is what its record says, and its exports and types can be resolved.',
  );

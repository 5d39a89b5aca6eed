// Checks the package as npm would publish it: publint and "are the types wrong", the files that are packed, by folder, the size of the
// archive, and the size of an installation. With --write it records the files and the sizes after a look at them.
import { execFile } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { printFindings } from './print-findings.ts';

const execute = promisify(execFile);
const root = path.resolve(import.meta.dirname, '..');
const record = path.join(root, 'test', 'release', 'packed-files.txt');

/** The most by which the archive may grow over the recorded size before the record is renewed. */
const mostGrowth = 1.1;

/** The same of an installation, whose size nothing compresses. */
const mostInstalledGrowth = 1.02;

interface Packed {
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
  /** The bytes that the package takes on a disk with the packages that npm installs with it. */
  readonly installed: number;
}

/** Returns the bytes that files of these sizes take on a disk with blocks of 4 KiB. */
function onDisk(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + Math.ceil(size / 4096) * 4096, 0);
}

/** Returns the bytes on a disk of the packages that a package depends on, and that they depend on, in a folder of modules. */
export function weighDependencies(manifest: string, modules: string, seen = new Set<string>()): number {
  const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  let sum = 0;
  for (const name of Object.keys(dependencies)) {
    if (seen.has(name)) continue;
    seen.add(name);
    const folder = path.join(modules, name);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    sum += onDisk(files.map((file) => lstatSync(path.join(folder, file)).size));
    sum += weighDependencies(path.join(folder, 'package.json'), modules, seen);
  }
  return sum;
}

/**
 * Returns the record of a package: the sizes of its archive and of an installation, and its folders with their numbers of files. Folders deeper than three
 * levels count with the folder that they are in, and the chunks of a build as some.
 */
export function recordOf({ size, files, installed }: Packed): string {
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
  const sizes = [`archive ${Math.round(size / 1000)} kB`, `installed ${Math.round(installed / 1000)} kB`];
  return `${[...sizes, ...lines.toSorted()].join('\n')}\n`;
}

/** The sizes in a record: its name of each, what it is the size of, and the most by which it may grow. */
const sizes = [
  ['archive', 'the archive', mostGrowth],
  ['installed', 'an installation', mostInstalledGrowth],
] as const;

/** Returns how a package differs from its record, one line each. */
export function compareRecords(before: string, after: string): string[] {
  const read = (text: string) => new Map(text.trim().split('\n').map(splitLine));
  const [recorded, found] = [read(before), read(after)];
  const sizeIn = (record: ReadonlyMap<string, string>, name: string) =>
    Number.parseInt(record.get(name) ?? '0', 10);
  const findings: string[] = [];
  for (const [name, subject, growth] of sizes) {
    const [was, is] = [sizeIn(recorded, name), sizeIn(found, name)];
    if (is > growth * was)
      findings.push(
        `${subject} has ${is} kB, more than ${Math.round(100 * growth - 100)} % over the recorded ${was}`,
      );
  }
  for (const name of [...new Set([...recorded.keys(), ...found.keys()])].toSorted()) {
    const [was = 'no', is = 'no'] = [recorded.get(name), found.get(name)];
    if (!sizes.some(([size]) => size === name) && was !== is)
      findings.push(`${name}: ${is} files are packed, ${was} are recorded`);
  }
  return findings;
}

function splitLine(line: string): [string, string] {
  const at = line.lastIndexOf(' ');
  const size = sizes.find(([name]) => line.startsWith(`${name} `));
  return size === undefined
    ? [line.slice(0, at), line.slice(at + 1)]
    : [size[0], line.slice(size[0].length + 1)];
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
    const [packed] = JSON.parse(stdout) as {
      readonly filename: string;
      readonly files: readonly { readonly path: string; readonly size: number }[];
    }[];
    if (packed === undefined) throw new Error('npm has packed nothing.');
    const archive = path.join(folder, packed.filename);
    const own = onDisk(packed.files.map(({ size }) => size));
    const others = weighDependencies(path.join(root, 'package.json'), path.join(root, 'node_modules'));
    const now = recordOf({ ...packed, size: statSync(archive).size, installed: own + others });
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

// Makes the wheel for PyPI from the tarball for npm, so that both carry the same files: the package for Python, and in it, as
// touchstone_evals/_npm, what the tarball has without examples, declarations and what is for other tools.
//   node scripts/release/wheel.ts touchstone-0.2.0.tgz FOLDER
// Two wheels of one tarball are the same bytes.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { sha256, sha256Of } from './sha256.ts';
import { toPythonVersion } from './versions.ts';

const [tarball, folder] = process.argv.slice(2);
if (tarball === undefined || folder === undefined)
  throw new Error('Give the tarball, and the folder for the wheel: node scripts/release/wheel.ts x.tgz dist');

/** The parts of the tarball that the wheel does not have: nothing of them is read by a command. */
const omitted = ['dist/types', 'examples', 'integrations'];
/** The packages that are loaded from `node_modules`, since they are in no bundle: the wheel has them there, with their own. */
const loaded = ['ajv', 'ajv-formats'];
/** The time that npm gives to all files of a tarball. */
const timeOfFiles = '499162500';

const work = mkdtempSync(path.join(os.tmpdir(), 'touchstone-wheel-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
execFileSync('tar', ['-xzf', path.resolve(tarball), '-C', work]);
const unpacked = path.join(work, 'package');
const source = path.join(unpacked, 'integrations', 'python');
const manifest = JSON.parse(readFileSync(path.join(unpacked, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly version: string;
};

/** Puts packages and what they depend on into a `node_modules` of the unpacked tarball, as this checkout has installed them. */
function addModules(names: readonly string[]): void {
  const added = new Set(names);
  for (const each of added) {
    const from = path.join(import.meta.dirname, '../../node_modules', each);
    cpSync(from, path.join(unpacked, 'node_modules', each), {
      recursive: true,
      filter: (file) => !/\.(?:[cm]?ts|map)$/.test(file) && !/[\\/](?:test|\.[^\\/]+)$/.test(file),
    });
    const { dependencies = {} } = JSON.parse(readFileSync(path.join(from, 'package.json'), 'utf8')) as {
      readonly dependencies?: Readonly<Record<string, string>>;
    };
    for (const name of Object.keys(dependencies)) added.add(name);
  }
}

/** Returns the hashes of the files that the wheel has to have, by their paths in it. */
function hashesToHave(): Map<string, string> {
  const hashes = new Map<string, string>();
  const note = (from: string, to: string, isIn: (file: string) => boolean) => {
    for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
      const file = name.replaceAll(path.sep, '/');
      if (isIn(file) && statSync(path.join(from, name)).isFile())
        hashes.set(`${to}/${file}`, sha256Of(path.join(from, name)));
    }
  };
  note(path.join(source, 'touchstone_evals'), 'touchstone_evals', (file) => !file.includes('__pycache__'));
  const isOmitted = (file: string) => omitted.some((part) => file === part || file.startsWith(`${part}/`));
  note(unpacked, 'touchstone_evals/_npm', (file) => !isOmitted(file));
  return hashes;
}

addModules(loaded);
const wanted = hashesToHave();
const build = path.join(work, 'build');
cpSync(source, build, { recursive: true });
cpSync(unpacked, path.join(build, 'touchstone_evals', '_npm'), {
  recursive: true,
  filter: (file) => !omitted.includes(path.relative(unpacked, file).replaceAll(path.sep, '/')),
});
const wheels = path.join(work, 'wheels');
execFileSync('python3', ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', wheels, build], {
  env: { ...process.env, SOURCE_DATE_EPOCH: timeOfFiles, PYTHONHASHSEED: '0' },
  stdio: ['ignore', 'inherit', 'inherit'],
});
const name = `${manifest.name.replaceAll('-', '_')}-${toPythonVersion(manifest.version)}-py3-none-any.whl`;
if (globSync('*.whl', { cwd: wheels }).join() !== name)
  throw new Error(`The wheel is ${globSync('*.whl', { cwd: wheels }).join()}, and has to be ${name}.`);

const packed = unzipSync(readFileSync(path.join(wheels, name)));
const found = new Map(
  Object.entries(packed).flatMap(([file, bytes]) =>
    file.includes('.dist-info/') || file.endsWith('/') ? [] : [[file, sha256(bytes)]],
  ),
);
const differing = [...new Set([...wanted.keys(), ...found.keys()])].filter(
  (file) => wanted.get(file) !== found.get(file),
);
if (differing.length > 0)
  throw new Error(
    `The wheel differs from the tarball in ${differing.length} files: ${differing.slice(0, 10).join(', ')}`,
  );
cpSync(path.join(wheels, name), path.join(folder, name));
console.log(`${name}: ${found.size} files, ${(statSync(path.join(folder, name)).size / 1e6).toFixed(1)} MB`);

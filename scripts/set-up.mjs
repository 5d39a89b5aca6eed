// Installs and builds what is missing, with a message. Runs on the system's Node.js, whatever its age.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNode, isNewEnough, neededVersion, nodePackage } from '../bin/find-node.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = path.join(root, 'node_modules', '.installed-from');

/** Brings `node_modules` in line with the lock file and `dist` with the sources. Ends the process when it cannot. */
export function setUp() {
  requireNode();
  const lock = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    const [npm, ...before] = npmProgram();
    step('Installing dependencies (about 20 seconds, once)', npm, [
      ...before,
      'ci',
      '--ignore-scripts',
      '--loglevel=error',
      '--no-audit',
      '--no-fund',
    ]);
    writeFileSync(stamp, lock);
  }
  if (isBuildStale()) step('Building', pinnedNode(), [path.join(root, 'scripts', 'build.mjs')]);
}

/** Ends the process, with what to do, where these scripts or the program cannot run. */
function requireNode() {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) < 20) refuse(`Node.js 20 or newer is needed here; this is ${node}.`);
  if (nodePackage() === undefined && !isNewEnough(node))
    refuse(
      `Node.js ${neededVersion} or newer is needed, which this project brings for Linux, macOS and Windows; this is ${node} on ${process.platform} ${process.arch}.`,
    );
}

function refuse(problem) {
  process.stderr.write(`✗ ${problem}\n  → Install a newer one: https://nodejs.org\n`);
  process.exit(4);
}

/** Returns the Node.js that the project brings; the running one where it brings none. */
export function pinnedNode() {
  const found = findNode([root]);
  if (found === undefined && !isNewEnough(process.versions.node))
    refuse(`Node.js ${neededVersion} or newer is needed, and npm has not installed ${nodePackage()}.`);
  return found ?? process.execPath;
}

/** Returns how npm is started without a shell: on Windows, `npm` is a script that only a shell runs, and its file is beside Node.js. */
export function npmProgram(env = process.env, platform = process.platform, node = process.execPath) {
  const beside = path.win32.join(path.win32.dirname(node), 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const script = env.npm_execpath ?? (platform === 'win32' ? beside : undefined);
  return script === undefined ? ['npm'] : [node, script];
}

/** Runs a program of the project in its root and returns its exit code. */
export function runInRoot(program, args) {
  // Ctrl-C also reaches the program, which finishes its work first: its parent waits for it.
  process.on('SIGINT', () => {});
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
  return status ?? 1;
}

function step(what, program, args) {
  const start = Date.now();
  process.stderr.write(`${what} …`);
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  process.stderr.write(` ${((Date.now() - start) / 1000).toFixed(1)} s\n`);
  if (status === 0) return;
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}\n✗ ${program} ${args.join(' ')} failed.\n`);
  process.exit(1);
}

/** Returns whether the build is missing or older than its sources. */
export function isBuildStale() {
  const built = path.join(root, 'dist', 'types', 'src', 'library', 'index.d.ts');
  const others = [
    path.join('dist', 'cli.js'),
    path.join('dist', 'dashboard', 'index.html'),
    path.join('dist', 'dashboard-report', 'report.html'),
    path.join('schemas', 'config.schema.json'),
    path.join('docs', 'reference', 'README.md'),
  ];
  if (![built, ...others.map((file) => path.join(root, file))].every((file) => existsSync(file))) return true;
  const builtAt = statSync(built).mtimeMs;
  const sources = ['src', 'dashboard']
    .flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
  const scripts = readdirSync(path.join(root, 'scripts'))
    .filter((name) => !name.includes('.test.'))
    .map((name) => path.join(root, 'scripts', name));
  const settings = ['package.json', 'tsconfig.json', 'tsconfig.build.json'].map((name) =>
    path.join(root, name),
  );
  const inputs = [...sources, ...scripts, ...settings];
  return inputs.some((file) => statSync(file).mtimeMs > builtAt);
}

// Lays out what the container image adds to its base, in a folder: the packed file, installed with the optional packages of a server, and
// nothing that only people and compilers read. deploy/Dockerfile copies the folder; test/release/image.test.ts starts it.
//   node scripts/release/lay-out-image.ts x.tgz FOLDER
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [tarball, folder] = process.argv.slice(2);
if (tarball === undefined || folder === undefined)
  throw new Error('Give the tarball and a folder: node scripts/release/lay-out-image.ts x.tgz layout');
const app = path.resolve(folder, 'app');
mkdirSync(app, { recursive: true });

/** The optional packages that a server and its workers use: PostgreSQL, OpenID Connect, and a queue over Redis. */
const optional = ['pg', 'openid-client', 'bullmq', 'ioredis'];
const text = execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' });
const manifest = JSON.parse(text) as {
  readonly name: string;
  readonly devDependencies: Readonly<Record<string, string>>;
};
const dependencies = Object.fromEntries([
  [manifest.name, `file:${path.resolve(tarball)}`],
  // The versions that the tests of this release ran with.
  ...optional.map((name) => [name, manifest.devDependencies[name]] as const),
]);
writeFileSync(
  path.join(app, 'package.json'),
  JSON.stringify({ private: true, type: 'module', dependencies }),
);
const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
// Optional parts of other packages are machine code for one system; without them, one layout serves all.
execFileSync('npm', ['install', '--omit=dev', '--omit=optional', '--ignore-scripts', ...quiet], {
  cwd: app,
  stdio: 'inherit',
});

const modules = path.join(app, 'node_modules');
const own = path.join(modules, manifest.name);
// `touchstone docs` and the tools for agents read the pages; examples and declarations nobody reads in a container.
for (const part of ['dist/types', 'examples', 'integrations'])
  rmSync(path.join(own, part), { recursive: true });
for (const part of ['@types', 'undici-types', '.bin', '.package-lock.json'])
  rmSync(path.join(modules, part), { recursive: true, force: true });
for (const file of readdirSync(modules, { recursive: true, encoding: 'utf8' })) {
  // Templates of our own are TypeScript and Markdown.
  if (!file.startsWith(manifest.name) && /\.(?:[cm]?ts|map|md)$/.test(file))
    rmSync(path.join(modules, file), { force: true, recursive: true });
}
rmSync(path.join(app, 'package-lock.json'));
symlinkSync(path.join('node_modules', manifest.name, 'bin', 'touchstone.js'), path.join(app, 'touchstone'));
// The one folder that is written to: a volume, for the store of a server without a database, or the spool of a worker.
mkdirSync(path.resolve(folder, 'data'), { mode: 0o700 });
const { version } = JSON.parse(readFileSync(path.join(own, 'package.json'), 'utf8')) as { version: string };
console.log(`${manifest.name} ${version} is laid out in ${folder}`);

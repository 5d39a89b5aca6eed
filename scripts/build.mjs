// Builds dist/: the command line and the library as bundles that share their code, the declarations, and the dashboard;
// and schemas/.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { build } from 'vite';
import { buildReport } from './build-report.mjs';
import { joinChunks } from './join-chunks.mjs';
import { pruneDeclarations } from './prune-declarations.mjs';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
// The new build replaces the previous one when it is complete: until then, and after a failure, the previous build
// works.
const made = `${dist}-${process.pid}`;
process.on('exit', () => rmSync(made, { recursive: true, force: true }));

const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  // Without this, entries could export more than they declare; the check below makes sure that they do not.
  preserveEntrySignatures: 'allow-extension',
  // Optional packages, which users install themselves.
  external: [/^@modelcontextprotocol\//, /^read-excel-file\//, 'openid-client', 'pg', 'vitest'],
  input: {
    cli: 'src/cli/main.ts',
    index: 'src/index.ts',
    ...Object.fromEntries(
      globSync('src/*/index.ts', { cwd: root }).map((file) => [path.basename(path.dirname(file)), file]),
    ),
  },
  onLog: (level, log, print) => {
    if (level !== 'debug' && log.code !== 'EVAL') print(level, log);
  },
});
const { output: apart } = await bundle.generate({ format: 'esm' });
const { output: joined } = await bundle.write({
  dir: made,
  format: 'esm',
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: joinChunks(apart, { command: 'src/cli/commands/run.ts', entries: ['cli', 'stats', 'testing'] }),
  },
  chunkFileNames: 'chunks/[name]-[hash].js',
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();
const exportsOf = (output) =>
  output.flatMap(({ isEntry, name, exports }) =>
    isEntry ? `${name}: ${exports.toSorted().join(', ')}` : [],
  );
if (exportsOf(apart).toSorted().join('\n') !== exportsOf(joined).toSorted().join('\n'))
  throw new Error('Joining files has changed what the entries export.');

// Node.js prints the line in which an error was thrown, here a whole file, unless the line contains this text.
for (const file of globSync('**/*.js', { cwd: made })) {
  const whole = path.join(made, file);
  writeFileSync(whole, `/*node-do-not-add-exception-line*/${readFileSync(whole, 'utf8')}`);
}

await build({
  configFile: path.join(root, 'dashboard', 'vite.config.ts'),
  logLevel: 'warn',
  build: { outDir: path.join(made, 'dashboard') },
});
await buildReport(path.join(made, 'dashboard-report'));

const tsc = path.join(root, 'node_modules', '.bin', 'tsc');
const toDeclarations = [
  '-p',
  'tsconfig.build.json',
  '--singleThreaded',
  '--outDir',
  path.join(made, 'types'),
];
const declarations = spawnSync(tsc, toDeclarations, { cwd: root, stdio: 'inherit' });
if (declarations.status !== 0) process.exit(declarations.status ?? 1);
const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
pruneDeclarations(
  path.join(made, 'types'),
  Object.values(exports).flatMap(({ types }) =>
    types === undefined ? [] : [path.join(made, path.relative('dist', types))],
  ),
);
const schemas = spawnSync(process.execPath, ['scripts/write-schemas.ts'], { cwd: root, stdio: 'inherit' });
if (schemas.status !== 0) process.exit(schemas.status ?? 1);
rmSync(dist, { recursive: true, force: true });
renameSync(made, dist);

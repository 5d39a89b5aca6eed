// Builds dist/: the command line and the library as bundles that share their code, the declarations, and the dashboard;
// schemas/; and the reference, docs/reference/.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';
import { build } from 'vite';
import { isRunning } from '../src/core/lib/files/find-leftovers.ts';
import { buildReport } from './build-report.mjs';
import { writeComponents } from './write-components.mjs';

/**
 * Joins the modules of a command into as few files as possible. Each file costs a starting process half a millisecond
 * to find, read and link; unused code costs next to nothing.
 * @param output - The output of a bundle without groups: many small files, each shared by several commands.
 * @param command - The path of the module that starts the command.
 * @param entries - The names of the entries that must not load all of the command: what they share with it goes into
 * files of their own, in this order.
 * @returns The groups for `codeSplitting`.
 */
function joinChunks(output, { command, entries }) {
  const chunks = new Map(
    output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  );
  const all = [...chunks.values()];
  const first = all.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(command)));
  const inCommand = modulesLoadedWith(first, chunks);
  const groups = entries.map((entry) => {
    const chunk = all.find(({ isEntry, name }) => isEntry && name === entry);
    const loaded = modulesLoadedWith(chunk, chunks);
    const own = new Set(chunk.moduleIds);
    return { name: `with-${entry}`, test: (id) => loaded.has(id) && !own.has(id) };
  });
  return [...groups, { name: 'command', test: (id) => inCommand.has(id) }];
}

/** Returns the modules of a file and of all that it imports before it runs. */
function modulesLoadedWith(first, chunks) {
  const found = new Set([first]);
  for (const chunk of found)
    for (const name of chunk.imports) if (chunks.has(name)) found.add(chunks.get(name));
  return new Set(Array.from(found, ({ moduleIds }) => moduleIds).flat());
}

/** Where a line may begin: each is a whole statement, or a whole member of a class. */
const lineStarts = [
  'BreakStatement',
  'ClassDeclaration',
  'ContinueStatement',
  'DoWhileStatement',
  'ExportNamedDeclaration',
  'ExpressionStatement',
  'ForInStatement',
  'ForOfStatement',
  'ForStatement',
  'FunctionDeclaration',
  'IfStatement',
  'ImportDeclaration',
  'MethodDefinition',
  'PropertyDefinition',
  'ReturnStatement',
  'SwitchCase',
  'SwitchStatement',
  'ThrowStatement',
  'TryStatement',
  'VariableDeclaration',
  'WhileStatement',
];

/**
 * Returns a file without spaces with a line for each statement: of an error that nothing has caught, Node.js prints the line that
 * threw it.
 */
function breakLines(file, code) {
  const { program } = parseSync(file, code);
  const starts = new Set();
  const note = ({ start }) => starts.add(start);
  new Visitor(Object.fromEntries(lineStarts.map((kind) => [kind, note]))).visit(program);
  const places = [0, ...[...starts].filter((start) => start > 0).sort((a, b) => a - b)];
  return places.map((start, index) => code.slice(start, places[index + 1])).join('\n');
}

// Removes the declarations that no entry of the library leads to: those of the command line, the server and the importers.

/** An import or an export of another declaration: `from './a.ts'`, `import('./a.ts')`. */
const references = /(?:\bfrom|\bimport|\bimport\()\s*['"](\.[^'"]+)['"]/g;

/**
 * @param folder - The folder with all declarations.
 * @param entries - The declarations that the package exports, in that folder.
 */
function pruneDeclarations(folder, entries) {
  const needed = new Set();
  const open = [...entries];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (needed.has(file)) continue;
    if (!existsSync(file)) throw new Error(`The declarations lead to ${file}, which is not there.`);
    needed.add(file);
    for (const [, name] of readFileSync(file, 'utf8').matchAll(references)) {
      // A file of JSON has no declaration.
      if (/\.[mc]?[tj]s$/.test(name))
        open.push(path.resolve(path.dirname(file), name.replace(/\.[mc]?[tj]s$/, '.d.ts')));
    }
  }
  for (const name of globSync('**/*.d.ts', { cwd: folder })) {
    const file = path.join(folder, name);
    if (!needed.has(file)) rmSync(file);
  }
}

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
// The new build replaces the previous one when it is complete: until then, and after a failure, the previous build
// works.
const made = `${dist}-${process.pid}`;
process.on('exit', () => rmSync(made, { recursive: true, force: true }));
// A build that was killed left its folder.
for (const name of globSync('dist-*', { cwd: root })) {
  const pid = Number(/^dist-(\d+)$/.exec(name)?.[1]);
  if (pid > 0 && !isRunning(pid)) rmSync(path.join(root, name), { recursive: true });
}

const { exports, peerDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const optional = Object.keys(peerDependencies);
/** The modules that the package exports: the name of the bundle, and the source. */
const entries = Object.values(exports).flatMap(({ types, default: bundle }) =>
  types === undefined
    ? []
    : [[path.basename(bundle, '.js'), path.relative('dist/types', types).replace(/\.d\.ts$/, '.ts')]],
);

const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  // Without this, entries could export more than they declare; the check below makes sure that they do not.
  preserveEntrySignatures: 'allow-extension',
  // Users install optional packages themselves.
  external: (id) => optional.some((name) => id === name || id.startsWith(`${name}/`)),
  input: { cli: 'src/cli/main.ts', ...Object.fromEntries(entries) },
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
    groups: joinChunks(apart, { command: 'src/cli/running/run.ts', entries: ['cli', 'stats', 'testing'] }),
  },
  chunkFileNames: 'chunks/[name]-[hash].js',
  minify: { compress: true, mangle: { toplevel: false }, codegen: { removeWhitespace: true } },
  comments: { jsdoc: false },
});
await bundle.close();
for (const { type, fileName, code } of joined)
  if (type === 'chunk') writeFileSync(path.join(made, fileName), breakLines(fileName, code));
const exportsOf = (output) =>
  output.flatMap(({ isEntry, name, exports }) =>
    isEntry ? `${name}: ${exports.toSorted().join(', ')}` : [],
  );
if (exportsOf(apart).toSorted().join('\n') !== exportsOf(joined).toSorted().join('\n'))
  throw new Error('Joining files has changed what the entries export.');

const { output: pages } = await build({
  configFile: path.join(root, 'dashboard', 'vite.config.ts'),
  logLevel: 'warn',
  build: { outDir: path.join(made, 'dashboard') },
});
const report = await buildReport(path.join(made, 'dashboard-report'));
writeComponents(made, [joined, pages, report]);

const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const toDeclarations = [
  '-p',
  'tsconfig.build.json',
  '--singleThreaded',
  '--outDir',
  path.join(made, 'types'),
];
const declarations = spawnSync(process.execPath, [tsc, ...toDeclarations], { cwd: root, stdio: 'inherit' });
if (declarations.status !== 0) process.exit(declarations.status ?? 1);
pruneDeclarations(
  path.join(made, 'types'),
  Object.values(exports).flatMap(({ types }) =>
    types === undefined ? [] : [path.join(made, path.relative('dist', types))],
  ),
);
for (const script of ['scripts/write-schemas.ts', 'scripts/write-reference.ts']) {
  const { status } = spawnSync(process.execPath, [script], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
rmSync(dist, { recursive: true, force: true });
renameSync(made, dist);

// Builds dist/: the command line and the library as bundles that share their code, and the declarations.
import { spawnSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
// Put in its place when it is whole: until then, and after a failure, the previous build goes on working.
const made = `${dist}-${process.pid}`;

const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  // Optional: whoever uses it installs it.
  external: [/^@modelcontextprotocol\//, 'vitest'],
  input: {
    cli: 'src/cli/main.ts',
    index: 'src/index.ts',
    stats: 'src/stats/index.ts',
    testing: 'src/testing/index.ts',
    vitest: 'src/vitest/index.ts',
    'scoring-thread': 'src/worker/scoring-thread.ts',
  },
  onLog: (level, log, print) => {
    if (level !== 'debug' && log.code !== 'EVAL') print(level, log);
  },
});
await bundle.write({
  dir: made,
  format: 'esm',
  chunkFileNames: 'chunks/[name]-[hash].js',
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();

const tsc = path.join(root, 'node_modules', '.bin', 'tsc');
const toDeclarations = [
  '-p',
  'tsconfig.build.json',
  '--singleThreaded',
  '--outDir',
  path.join(made, 'types'),
];
const declarations = spawnSync(tsc, toDeclarations, { cwd: root, stdio: 'inherit' });
rmSync(dist, { recursive: true, force: true });
renameSync(made, dist);
process.exit(declarations.status ?? 1);

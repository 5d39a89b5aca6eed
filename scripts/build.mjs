// Builds dist/: the command line and the library as bundles that share their code, and the declarations.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

const root = path.resolve(import.meta.dirname, '..');
rmSync(path.join(root, 'dist'), { recursive: true, force: true });

const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  input: {
    cli: 'src/cli/main.ts',
    index: 'src/index.ts',
    stats: 'src/stats/index.ts',
    testing: 'src/testing/index.ts',
  },
  onLog: (level, log, print) => {
    if (level !== 'debug' && log.code !== 'EVAL') print(level, log);
  },
});
await bundle.write({
  dir: path.join(root, 'dist'),
  format: 'esm',
  chunkFileNames: 'chunks/[name]-[hash].js',
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();

const tsc = path.join(root, 'node_modules', '.bin', 'tsc');
const declarations = spawnSync(tsc, ['-p', 'tsconfig.build.json', '--singleThreaded'], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(declarations.status ?? 1);

#!/usr/bin/env node
// Runs on any Node.js, so that an old one gets an answer instead of a syntax error.
const needed = [24, 11];
const [major, minor] = process.versions.node.split('.').map(Number);

// Other runtimes name a version of Node.js, too, and cannot read the program.
const other = ['bun', 'deno'].find((name) => process.versions[name] !== undefined);
if (other !== undefined) {
  const title = other === 'bun' ? 'Bun' : 'Deno';
  console.error(`✗ Touchstone runs on Node.js; this is ${title} ${process.versions[other]}.`);
  console.error(
    other === 'bun'
      ? '  → Leave out `--bun`: `bunx touchstone-evals` runs it on Node.js.'
      : '  → Run it on Node.js: npx touchstone-evals',
  );
  process.exitCode = 4;
} else if (major > needed[0] || (major === needed[0] && minor >= needed[1])) {
  if (process.env.TOUCHSTONE_WRAPPED !== undefined) endWithWrapper();
  // Not imported: for an ES module, Node.js loads all that can be had from it.
  process.getBuiltinModule('node:module').enableCompileCache();
  await import('../dist/cli.js');
} else {
  const { existsSync } = await import('node:fs');
  const { fileURLToPath } = await import('node:url');
  const pinned = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
  if (existsSync(pinned)) await runWith(pinned, fileURLToPath(import.meta.url));
  else {
    console.error(
      `✗ Touchstone needs Node.js ${needed.join('.')} or newer; this is ${process.versions.node}.`,
    );
    console.error(
      '  → Install a current Node.js, or add one to your project: npm install --save-dev node@24',
    );
    process.exitCode = 4;
  }
}

/** A clone of the repository brings its own Node.js: the same command again, on that one. */
async function runWith(node, program) {
  const { spawn } = await import('node:child_process');
  const child = spawn(node, [program, ...process.argv.slice(2)], {
    // By the channel the child notices when this process is killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, TOUCHSTONE_WRAPPED: '1' },
  });
  // Ctrl-C reaches the whole process group, the child included, which takes two at once for one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'])
    process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Ends as by SIGTERM once the process that started this one is gone. */
function endWithWrapper() {
  delete process.env.TOUCHSTONE_WRAPPED;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}

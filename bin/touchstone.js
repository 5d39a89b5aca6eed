#!/usr/bin/env node
// Runs on Node.js 18 and newer, so that an old one gets an answer instead of a syntax error.
const own = new URL('.', import.meta.url);

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
} else {
  const { isNewEnough } = await import('./find-node.js');
  if (isNewEnough(process.versions.node)) await runHere();
  else await runOnAnother();
}

async function runHere() {
  if (process.env.TOUCHSTONE_WRAPPED !== undefined) endWithWrapper();
  // Not imported: for an ES module, Node.js loads all that can be had from it.
  process.getBuiltinModule('node:module').enableCompileCache();
  await import('../dist/cli.js');
}

/** Runs the same command on the Node.js that the project or a clone of the repository brings, or says how to get one. */
async function runOnAnother() {
  const { fileURLToPath } = await import('node:url');
  const { findNode, neededVersion, nodePackage } = await import('./find-node.js');
  const found = findNode([process.cwd(), fileURLToPath(own)]);
  if (found !== undefined) return runWith(found, fileURLToPath(import.meta.url));
  const ours = nodePackage();
  const lines = [
    [
      'In this project only:',
      ours && `npm install --save-dev ${ours}@26`,
      'the next command finds it by itself',
    ],
    ['Or with Python:', 'pip install touchstone-evals', 'brings its own'],
  ].filter(([, command]) => command !== undefined);
  const widest = Math.max(...lines.map(([, command]) => command.length));
  console.error(`✗ Touchstone needs Node.js ${neededVersion} or newer; this is ${process.versions.node}.`);
  lines.forEach(([when, command, what], index) =>
    console.error(`${index === 0 ? '  → ' : '    '}${when.padEnd(23)}${command.padEnd(widest + 5)}(${what})`),
  );
  process.exitCode = 4;
}

/** Runs a program with the arguments of this one, and ends as it does. */
async function runWith(node, program) {
  const { spawn } = await import('node:child_process');
  const child = spawn(node, [program, ...process.argv.slice(2)], {
    // By the channel the child notices when this process is killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, TOUCHSTONE_WRAPPED: '1' },
  });
  // Ctrl-C reaches the whole process group, the child included, which takes two at once for one.
  // On Windows, each process of a console gets its signals by itself, and a signal that is sent ends it at once.
  const forward = process.platform === 'win32' ? () => {} : (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', process.platform === 'win32' ? 'SIGBREAK' : 'SIGQUIT'])
    process.on(signal, () => forward(signal));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/**
 * Ends as by SIGTERM once the process that started this one is gone, and as by the signal that it sends over the channel, as it
 * does on Windows: there a signal of the system would end this process without a word to its handlers.
 */
function endWithWrapper() {
  delete process.env.TOUCHSTONE_WRAPPED;
  const endBy = (signal) => {
    if (!process.emit(signal, signal)) process.kill(process.pid, signal);
  };
  process.once('disconnect', () => endBy('SIGTERM'));
  process.on('message', ({ type, signal }) => {
    if (type === 'signal') endBy(signal);
  });
  process.channel?.unref();
}

/**
 * A process that executes one command of the built command line after another, so that tests pay its start only once. A
 * command gets its folder, environment and arguments as a process of its own would; its end, its output and its exit code
 * are sent back. What depends on a process (signals, standard input, killing) is tested with real ones.
 */
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** A command as `touchstone` in run-cli.ts sends it. */
export interface HostedCommand {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const root = path.resolve(import.meta.dirname, '..');
const entry = pathToFileURL(path.join(root, 'dist', 'cli.js')).href;
const own = ['dist', 'node_modules'].map((folder) => pathToFileURL(path.join(root, folder)).href);

/** Makes every command load the modules of users again, since tests change them between commands. */
let commands = 0;
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const isOwn = !found.url.startsWith('file:') || own.some((folder) => found.url.startsWith(folder));
    return isOwn || found.url.includes('?') ? found : { ...found, url: `${found.url}?command=${commands}` };
  },
});

let ended = (_code: number) => {};
process.exit = ((code?: number) => ended(code ?? 0)) as typeof process.exit;
const exit = process.exit;

const streams = { stdout: process.stdout, stderr: process.stderr };
const output = { stdout: '', stderr: '' };
type Write = (text: string | Uint8Array, ...rest: unknown[]) => boolean;
const writers = { stdout: collect('stdout'), stderr: collect('stderr') };
// Every command adds listeners to both, and none removes them.
for (const name of ['stdout', 'stderr'] as const) streams[name].setMaxListeners(0).write = writers[name];

// The tests have ended, or were stopped.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (command: HostedCommand) => {
  void execute(command).then((ended) => process.send?.(ended));
});

async function execute({ args, cwd, env }: HostedCommand) {
  commands += 1;
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv.splice(1, Infinity, path.join(root, 'bin', 'touchstone.js'), ...args);
  process.exit = exit;
  for (const name of ['stdout', 'stderr'] as const) {
    output[name] = '';
    streams[name].write = writers[name];
  }
  const code = await new Promise<number>((resolve, reject) => {
    ended = resolve;
    import(`${entry}?command=${commands}`).catch(reject);
  });
  return { code, ...output };
}

/** Returns a `write` that keeps the text and calls back as a stream does: later. */
function collect(name: 'stdout' | 'stderr'): Write {
  return (text, ...rest) => {
    output[name] += typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
    const callback = rest.at(-1);
    if (typeof callback === 'function') setImmediate(() => callback());
    return true;
  };
}

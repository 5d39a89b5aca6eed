import { fileURLToPath } from 'node:url';

const maxFrames = 5;

/** Where our code is, as a URL and as a path: `src` when it runs from source, `dist` when it is built. */
const ourUrl = import.meta.url.replace(/^(.*\/(?:src|dist)\/).*$/, '$1');
const ourFolders = [ourUrl, fileURLToPath(ourUrl)];

/** The first lines of an error's stack that lie in the target's own code: those before the first in ours. */
export function shortStack(thrown: unknown): string {
  if (!(thrown instanceof Error) || typeof thrown.stack !== 'string') return '';
  const frames = thrown.stack.split('\n').filter((line) => /^\s+at /.test(line));
  const ours = frames.findIndex((line) => ourFolders.some((folder) => line.includes(folder)));
  const own = frames.slice(0, ours === -1 ? undefined : ours).filter((line) => !line.includes('node:'));
  return [`${thrown.name}: ${thrown.message}`, ...own.slice(0, maxFrames)].join('\n');
}

import path from 'node:path';

/** A path as a person here would write it: relative to the current folder when it is inside, else absolute. */
export function displayPath(full: string): string {
  const relative = path.relative(process.cwd(), full);
  return relative === '' || relative.startsWith('..') || path.isAbsolute(relative) ? full : relative;
}

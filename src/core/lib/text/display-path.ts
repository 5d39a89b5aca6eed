import path from 'node:path';

/**
 * Returns a path as it can be clicked or typed here: relative to the current folder, or absolute where that is shorter.
 * The current folder itself is absolute.
 */
export function displayPath(full: string): string {
  const relative = path.relative(process.cwd(), full);
  return relative === '' || relative.length > full.length ? full : relative;
}

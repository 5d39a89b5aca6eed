import path from 'node:path';

/**
 * Returns a path as it can be clicked or typed here: relative to the current folder, or absolute where that is shorter.
 * The current folder itself is absolute. Every system understands `/` between folders, which records and reports have.
 */
export function displayPath(full: string, folder = process.cwd(), paths: path.PlatformPath = path): string {
  const relative = paths.relative(folder, full);
  const shown = relative === '' || relative.length > full.length ? full : relative;
  return shown.replaceAll(paths.sep, '/');
}

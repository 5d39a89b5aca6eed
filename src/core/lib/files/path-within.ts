import path from 'node:path';

/** Returns a path relative to a folder, with `/` on every system; on Windows, a path on another drive stays absolute. */
export function relativePath(folder: string, file: string, paths: path.PlatformPath = path): string {
  return paths.relative(folder, file).replaceAll(paths.sep, '/');
}

/** Returns the path of what is inside of a folder, with `/`: empty for the folder itself, undefined for what is elsewhere. */
export function pathWithin(
  folder: string,
  file: string,
  paths: path.PlatformPath = path,
): string | undefined {
  const relative = relativePath(folder, file, paths);
  const isElsewhere = relative === '..' || relative.startsWith('../') || paths.isAbsolute(relative);
  return isElsewhere ? undefined : relative;
}

import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns the version of a package that a file in a folder would import; undefined where there is none. */
export function versionOf(name: string, folder: string): string | undefined {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const version = readVersion(path.join(at, 'node_modules', name, 'package.json'));
    if (version !== undefined || at === path.dirname(at)) return version;
  }
}

function readVersion(file: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version?: string }).version;
  } catch {
    return undefined;
  }
}

/** Returns whether a version is in a range of the two forms that package.json has: `^8.16.0` and `>=5.6.0`. */
export function fits(version: string, range: string): boolean {
  const have = numbersOf(version);
  const least = numbersOf(range);
  if (range.startsWith('^') && have[0] !== least[0]) return false;
  const place = least.findIndex((number, index) => number !== have[index]);
  return place === -1 || (have[place] ?? 0) > (least[place] ?? 0);
}

/** Returns the first three numbers of a version, or of the oldest one in a range. */
export function numbersOf(text: string): number[] {
  return text.replace(/^\D+/, '').split(/[.-]/, 3).map(Number);
}

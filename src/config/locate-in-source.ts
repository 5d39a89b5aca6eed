import type { LocateSetting } from './explain-problems.ts';

/**
 * Finds settings in the source of a TypeScript or JavaScript config: a program can make its settings in any way, so only
 * a name that stands there once, before a colon, is taken for the setting. Else the file is all that is told.
 */
export function locateInSource(source: string, shown: string): LocateSetting {
  return ({ path }) => {
    for (const name of path.filter((step) => typeof step === 'string').reverse()) {
      const found = findOnce(source, name);
      if (found !== undefined) return `${shown}:${placeAt(source, found)}`;
    }
    return shown;
  };
}

function findOnce(source: string, name: string): number | undefined {
  const pattern = new RegExp(`(?<![\\w$.])(['"]?)${escapeForPattern(name)}\\1\\s*:`, 'g');
  const [first, ...others] = source.matchAll(pattern);
  return others.length === 0 ? first?.index : undefined;
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

function placeAt(source: string, offset: number): string {
  const before = source.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

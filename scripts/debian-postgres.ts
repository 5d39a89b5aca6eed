import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import path from 'node:path';

/** Returns the folder with the programs of the newest PostgreSQL server here; Debian does not put them on the path. */
export function findPostgres(): string | undefined {
  const ofDebian = globSync('/usr/lib/postgresql/*/bin').toSorted(
    (one, other) => versionIn(other) - versionIn(one),
  );
  const others = (process.env['PATH'] ?? '').split(path.delimiter);
  return [...ofDebian, ...others].find((folder) => existsSync(path.join(folder, 'initdb')));
}

function versionIn(folder: string): number {
  return Number(/postgresql\/(\d+)/.exec(folder)?.[1]);
}

/** Returns a user to own the data where this is run by root, whom PostgreSQL refuses; undefined for any other user. */
export function findOwner(name: string): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

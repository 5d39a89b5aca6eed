import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';
import { sha256Of } from './sha256.ts';

/** The name and the version of a package, as a file for a registry has them. */
export interface Packed {
  readonly file: string;
  readonly name: string;
  readonly version: string;
}

/** Returns the one file in a folder with an ending. Throws when there is none, or several. */
function onlyFile(folder: string, ending: string): string {
  const files = globSync(`*${ending}`, { cwd: folder });
  if (files.length !== 1)
    throw new Error(
      `${folder} has ${files.length} files ${ending}: make the files of a release in a new folder.`,
    );
  return path.join(folder, files[0] ?? '');
}

/** Returns the tarball in a folder, with what its package.json says. */
export function readTarball(folder: string): Packed {
  const file = onlyFile(folder, '.tgz');
  const manifest = execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' });
  const { name, version } = JSON.parse(manifest) as Omit<Packed, 'file'>;
  return { file, name, version };
}

/** Returns the wheel in a folder, with the name that PyPI has for it. */
export function readWheel(folder: string): Packed {
  const file = onlyFile(folder, '.whl');
  const [name = '', version = ''] = path.basename(file).split('-');
  return { file, name: name.replaceAll('_', '-'), version };
}

/**
 * Decides whether a file still has to be uploaded. True when the registry has no file of this version, false when it has this one.
 * Throws when it has another one: a version is never replaced.
 * @param there - The hash that the registry has, undefined without the version.
 * @param ours - The hash of the file in the same form, its SHA-256 unless given.
 */
export function hasToBeUploaded(
  { file, name, version }: Packed,
  there: string | undefined,
  ours: string = sha256Of(file),
): boolean {
  if (there === undefined) return true;
  if (there !== ours)
    throw new Error(
      `${name} ${version} is there already, with other content: ${there}, and ${path.basename(file)} is ${ours}. ` +
        'A version is never replaced: release the next one.',
    );
  console.log(`${name} ${version} is there already, with the same hash: done.`);
  return false;
}

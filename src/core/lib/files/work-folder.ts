import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The use of a folder or a file for temporary data, as its name says. */
export type Work = 'files' | 'look' | 'rows' | 'state' | 'tools';

const works: readonly Work[] = ['files', 'look', 'rows', 'state', 'tools'];

/** The name of what this process has in the folder for temporary files, to which random characters are added. */
export function workName(work: Work): string {
  return `touchstone-${work}-${process.pid}-`;
}

/** Makes a folder for temporary files of this process, which removes it in the end. After a kill, its name says whose it was. */
export async function makeWorkFolder(work: Work): Promise<string> {
  return await mkdtemp(path.join(tmpdir(), workName(work)));
}

/** Returns the id of the process that a name names which `workName` began; undefined for other names. */
export function ownerOf(name: string): number | undefined {
  const [, work, pid] = /^touchstone-([a-z]+)-(\d+)-\w+$/.exec(name) ?? [];
  return works.some((each) => each === work) ? Number(pid) : undefined;
}

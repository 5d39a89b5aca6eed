import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { atFileEnd } from './support/file-end.ts';

const mounted: string[] = [];
atFileEnd(() => {
  for (const folder of mounted.splice(0)) mount('umount', [folder]);
});

/** A disk in memory for one test. */
export interface SmallDisk {
  /** Changes its size, or forbids writing: `size=20m`, `ro`. */
  remount(options: string): void;
}

/** Mounts a small disk at a folder. Returns undefined where that is not permitted, as for most users of most systems. */
export function mountSmallDisk(folder: string, size: string): SmallDisk | undefined {
  mkdirSync(folder, { recursive: true });
  if (!mount('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])) return undefined;
  mounted.push(folder);
  return { remount: (options) => void mount('mount', ['-o', `remount,${options}`, folder]) };
}

function mount(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false; // The caller skips its test.
  }
}

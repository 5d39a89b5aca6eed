import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { afterAll } from 'vitest';

const mounted: string[] = [];
afterAll(() => {
  for (const folder of mounted) mount('umount', [folder]);
});

/** A disk of its own for a test, in memory. */
export interface SmallDisk {
  /** Changes its size, or forbids writing: `size=20m`, `ro`. */
  remount(options: string): void;
}

/** Puts a small disk at a folder; undefined where that is not allowed, as to most users of most systems. */
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
    return false; // Said to whoever asks.
  }
}

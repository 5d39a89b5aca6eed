import type { LocateSetting } from './config-problem.ts';

/** The value of a config as written, and a function that locates its settings. */
export interface ReadConfig {
  readonly written: unknown;
  readonly locate: LocateSetting;
}

/** Returns whether a file name ends in `.json`. */
export function isJson(shown: string): boolean {
  return shown.toLowerCase().endsWith('.json');
}

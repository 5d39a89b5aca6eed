import type { LocateSetting } from './config-problem.ts';

/** What the text of a config says, and where. */
export interface ReadConfig {
  readonly written: unknown;
  readonly locate: LocateSetting;
}

/** Whether a file is JSON by its name. */
export function isJson(shown: string): boolean {
  return shown.toLowerCase().endsWith('.json');
}

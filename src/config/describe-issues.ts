import type { z } from 'zod';
import { nearestName } from '../lib/nearest-name.ts';

/** A path inside a config as a person would write it: `targets[0].url`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}

/** One finding about a configuration: where, and what is wrong there. */
export interface ConfigIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Turns zod's findings into sentences, with the nearest known name for a key that is not known. */
export function describeIssues(error: z.ZodError, knownKeys: readonly string[]): ConfigIssue[] {
  return error.issues.flatMap((issue): ConfigIssue[] => {
    if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, message: issue.message }];
    return issue.keys.map((key) => {
      const nearest = nearestName(key, knownKeys);
      const hint = nearest === undefined ? `known are ${knownKeys.join(', ')}` : `did you mean "${nearest}"?`;
      return { path: [...issue.path, key], message: `unknown setting; ${hint}` };
    });
  });
}

import path from 'node:path';
import { messageOf, TouchstoneError } from '../errors.ts';
import { displayPath } from '../lib/display-path.ts';
import { type ConfigIssue, formatPath } from './describe-issues.ts';
import { importConfig } from './import-config.ts';
import { readConfigText } from './read-config-text.ts';
import { ConfigProblem } from './resolve-use.ts';

/** A config as it stands in its file, not yet checked. */
export interface LoadedConfig {
  readonly file: string;
  readonly folder: string;
  readonly written: unknown;
  /** `file:line:column` of a setting as exactly as the format allows. */
  locate(path: readonly PropertyKey[]): string;
}

/** Loads a config file of any kind. Throws `config-unreadable` with the place where it stopped making sense. */
export async function loadConfig(file: string): Promise<LoadedConfig> {
  const shown = displayPath(file);
  const loaded = /\.[cm]?[jt]s$/.test(file)
    ? { written: await importConfig(file, shown), locate: () => shown }
    : await readConfigText(file, shown);
  return { file, folder: path.dirname(file), ...loaded };
}

/**
 * Does something with a config and turns what it finds wrong into one message with a line for each finding.
 * Throws `config-invalid`.
 */
export async function explainProblems<Result>(
  locate: (path: readonly PropertyKey[]) => string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error;
    const lines = error.issues.map((issue) => `  ${describe(issue, locate)}`);
    throw new TouchstoneError('config-invalid', `The configuration cannot be used:\n${lines.join('\n')}`, {
      cause: messageOf(error),
    });
  }
}

function describe(
  { path: at, message }: ConfigIssue,
  locate: (path: readonly PropertyKey[]) => string,
): string {
  const setting = formatPath(at);
  return `${locate(at)}  ${setting === '' ? '' : `${setting}: `}${message}`;
}

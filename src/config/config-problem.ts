import type { ErrorCode } from '../errors.ts';

/** One finding about a configuration: where, and what is wrong there. */
export interface ConfigIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** The name of the setting is what is wrong, not its value. */
  readonly isName?: boolean;
}

/** What is to be said of a configuration in place of the usual. */
export interface ConfigProblemOptions {
  readonly code?: ErrorCode;
  readonly remedy?: string;
  readonly cause?: unknown;
}

/** Findings at places in a configuration; `explainProblems` turns them into a message with files and lines. */
export class ConfigProblem extends Error {
  readonly issues: readonly ConfigIssue[];
  readonly code: ErrorCode;
  readonly remedy: string | undefined;

  constructor(issues: readonly ConfigIssue[], options: ConfigProblemOptions = {}) {
    super('the configuration cannot be used', { cause: options.cause });
    this.issues = issues;
    this.code = options.code ?? 'config-invalid';
    this.remedy = options.remedy;
  }
}

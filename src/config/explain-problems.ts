import { TouchstoneError } from '../errors.ts';
import { type ConfigIssue, ConfigProblem } from './config-problem.ts';

/** Gives `file:line:column` of a setting, as exactly as the format of the config allows. */
export type LocateSetting = (issue: Pick<ConfigIssue, 'path' | 'isName'>) => string;

/**
 * Does something with a config and turns what it finds wrong into one message with a line for each finding.
 * Throws `config-invalid`, or what the finding itself says.
 */
export async function explainProblems<Result>(
  locate: LocateSetting,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error;
    const { code, remedy, cause } = error;
    const options = remedy === undefined ? { cause } : { cause, remedy };
    throw new TouchstoneError(code, describe(error.issues, locate), options);
  }
}

function describe(issues: readonly ConfigIssue[], locate: LocateSetting): string {
  const lines = issues.map((issue) => {
    const setting = formatSetting(issue.path);
    return `${locate(issue)}: ${setting === '' ? '' : `${setting}: `}${issue.message}`;
  });
  if (lines.length === 1) return lines.join('');
  return `The configuration has ${lines.length} problems:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

/** A path inside a config as a person would write it: `targets[0].url`. */
export function formatSetting(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}

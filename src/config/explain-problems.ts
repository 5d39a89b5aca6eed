import { TouchstoneError } from '../errors.ts';
import { type ConfigIssue, ConfigProblem } from './config-problem.ts';

/** Gives `file:line:column` of a setting, as exactly as the format of the config allows. */
export type LocateSetting = (issue: Pick<ConfigIssue, 'path' | 'isName'>) => string | Promise<string>;

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
    throw new TouchstoneError(code, await describe(error.issues, locate), options);
  }
}

async function describe(issues: readonly ConfigIssue[], locate: LocateSetting): Promise<string> {
  const places = await Promise.all(issues.map(async (issue) => await locate(issue)));
  const lines = issues.map(({ path, message }, index) => {
    const setting = formatSetting(path);
    return `${places[index]}: ${setting === '' ? '' : `${setting}: `}${message}`;
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

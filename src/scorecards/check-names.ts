import { TouchstoneError } from '../errors.ts';

/** Throws `config-invalid` when two criteria have one name: then it could not be told which of them a verdict is about. */
export function checkNames(scorecard: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new TouchstoneError(
    'config-invalid',
    `Two criteria of the scorecard ${scorecard} are named "${twice}".`,
    { remedy: 'Give one of them another `name`.' },
  );
}

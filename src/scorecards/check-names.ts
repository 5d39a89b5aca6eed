import { TouchstoneError } from '../errors.ts';
import { isReservedName } from '../lib/reserved-name.ts';

/**
 * Throws `config-invalid` when two criteria have one name, so that it could not be told which of them a verdict is about, or
 * one has a name that nothing can have.
 */
export function checkNames(scorecard: string, names: readonly string[]): void {
  const reserved = names.find(isReservedName);
  if (reserved !== undefined) {
    const message = `A criterion of the scorecard ${scorecard} is named "${reserved}": every object has something of that name.`;
    throw new TouchstoneError('config-invalid', message, { remedy: 'Give it another `name`.' });
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new TouchstoneError(
    'config-invalid',
    `Two criteria of the scorecard ${scorecard} are named "${twice}".`,
    { remedy: 'Give one of them another `name`.' },
  );
}

import { formatPlace, type Place, TouchstoneError } from '../../../core/errors.ts';
import { hashText } from '../../../core/lib/content-hash.ts';

/** Returns the `import-invalid` error for a row that cannot be used. */
export function invalidRow(place: Place, what: string): TouchstoneError {
  return new TouchstoneError('import-invalid', `${formatPlace(place)}: ${what}. Nothing was added.`, {
    remedy: 'Correct the row; `touchstone modes export` writes files of this form.',
  });
}

/** Returns the id of a record that follows from texts, so that the same row gives the same record. */
export function recordIdOf(...texts: readonly (string | number)[]): string {
  return hashText(JSON.stringify(texts));
}

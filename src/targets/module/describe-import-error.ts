import { formatPlace, messageOf } from '../../errors.ts';
import { displayPath } from '../../lib/display-path.ts';
import { placeOfImportFault } from '../../lib/place-of-import-fault.ts';

/** Why a file could not be imported, with the file, line and column where they are known. */
export async function describeImportError(error: unknown, file: string): Promise<string> {
  const place = await placeOfImportFault(error, file);
  if (place === undefined) return messageOf(error);
  return `${messageOf(error)} (${formatPlace({ ...place, file: displayPath(place.file) })})`;
}

import type { CaseDraft } from '../../../datasets/dataset.ts';
import { formatPlace } from '../../../errors.ts';
import { describeValue } from '../../../lib/describe-value.ts';
import { nearestName } from '../../../lib/nearest-name.ts';
import { shorten } from '../../../lib/terminal-text.ts';
import type { Fault } from './find-faults.ts';
import type { Problem } from './problem-list.ts';

/** Says where a wrong value stands in the user's file, under the user's name for it, and what to do. */
export function describeFault({ path, expected }: Fault, draft: CaseDraft): Problem {
  const { place, field } = draft.locate(path);
  const where = `${formatPlace(place)}: `;
  const found = path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    draft.value,
  );
  if (path[0] === 'input' && found === undefined) {
    return { message: `${where}there is no question${among(draft)}`, remedy: questionRemedy(draft) };
  }
  const name = field === '' ? '' : `${field}: `;
  const message = `${where}${name}expected ${expected}, found ${foundText(found)}`;
  return isDoubtfulList(expected, found) ? { message, remedy: listRemedy } : { message };
}

const listRemedy =
  'Separate the texts of a cell with `|`, `;` or line breaks, or write a JSON list: a comma may be part of a text.';

function isDoubtfulList(expected: string, found: unknown): boolean {
  return expected.startsWith('a list of texts') && typeof found === 'string' && found.includes(',');
}

function foundText(found: unknown): string {
  return found === undefined ? 'nothing' : describeValue(found);
}

const longestList = 100;
const longestName = 40;

function among({ unknownFields }: CaseDraft): string {
  return unknownFields.length === 0 ? '' : `; the row has ${shorten(unknownFields.join(', '), longestList)}`;
}

function questionRemedy(draft: CaseDraft): string {
  const mistyped = draft.unknownFields.find((name) => nearestName(name, ['question']) !== undefined);
  if (mistyped !== undefined) return `Rename "${shorten(mistyped, longestName)}" to "question".`;
  const field = likelyQuestion(draft);
  if (field === undefined) return 'Give each row a field named "question".';
  const name = shorten(field, longestName).replaceAll("'", String.raw`\'`);
  return `Name the field "question", or say in the config which one it is: \`dataset: { path: …, fields: { '${name}': 'question' } }\`.`;
}

/** The field with the longest text. */
function likelyQuestion({ value, unknownFields }: CaseDraft): string | undefined {
  const metadata = value['metadata'] as Record<string, unknown> | undefined;
  const lengthOf = (name: string) => {
    const text = metadata?.[name];
    return typeof text === 'string' ? text.length : 0;
  };
  return unknownFields.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0];
}

import { TouchstoneError } from '../errors.ts';
import type { DatasetReader } from './dataset.ts';
import { createFieldMapping } from './field-mapping.ts';

/** The reader that a file's name asks for, by its ending. */
export function readerByName(name: string, readers: readonly DatasetReader[]): DatasetReader | undefined {
  const lower = name.toLowerCase();
  return readers.find(({ extensions }) => extensions.some((extension) => lower.endsWith(extension)));
}

/** The reader of a format that a config names. Throws `dataset-format` when there is none. */
export function readerByFormat(format: string, readers: readonly DatasetReader[]): DatasetReader {
  const reader = readers.find(({ name }) => name === format);
  if (reader !== undefined) return reader;
  throw new TouchstoneError('dataset-format', `"${format}" is not a format of datasets`, {
    remedy: `Use one of ${formatNames(readers)}.`,
  });
}

/** Guesses the reader from the beginning of a text. Throws `dataset-format` when it looks like none of them. */
export function readerByContent(
  head: string,
  name: string,
  readers: readonly DatasetReader[],
): DatasetReader {
  const format = guessFormat(head.trimStart().split('\n', 1)[0]?.trimEnd() ?? '');
  if (format !== undefined) return readerByFormat(format, readers);
  throw new TouchstoneError(
    'dataset-format',
    `${name}: neither the name nor the first line says what format this is`,
    {
      remedy: `Pass \`--dataset-format\` with one of ${formatNames(readers)}.`,
    },
  );
}

/** The formats that somebody can ask for: those that are known by more than their content. */
function formatNames(readers: readonly DatasetReader[]): string {
  return readers
    .filter(({ extensions }) => extensions.length > 0)
    .map(({ name }) => name)
    .join(', ');
}

function guessFormat(line: string): string | undefined {
  if (line.startsWith('[')) return 'json';
  // An object that goes on in the next line is no JSON Lines.
  if (line.startsWith('{')) return /^\{$|[{[,]$/.test(line) ? 'json' : 'jsonl';
  if (/^(---|- |[\w-]+: |[\w-]+:$)/.test(line)) return 'yaml';
  if (line === '' || line.includes(',')) return 'csv';
  const { targetOf } = createFieldMapping();
  return line.split(/[;\t]/).some((cell) => targetOf(cell.replace(/^"|"$/g, ''))) ? 'csv' : undefined;
}

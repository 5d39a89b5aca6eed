import type { DatasetReader } from './dataset.ts';
import { peekText } from './peek-text.ts';
import { readJsonArray } from './read-json-array.ts';
import { readJsonLines } from './read-json-lines.ts';

/** JSON Lines: one object a line. A file that in truth holds one JSON list is read as that. */
export const jsonl: DatasetReader = {
  name: 'jsonl',
  extensions: ['.jsonl', '.ndjson'],
  async *read(source) {
    const text = await peekText(source.read(), (piece) => /\S/.test(piece));
    const isList = text.head.trimStart().startsWith('[');
    yield* isList ? readJsonArray(text.all, { file: source.name }) : readJsonLines(text.all, source.name);
  },
};

import type { Json } from '../../../schema/json.ts';
import { createCompiler } from './compiled.ts';

/** A row, made of the values of its keys. */
type Row = Record<string, Json>;

/** The values of one key of some rows: one for each row, or one for all of them. */
export interface Source {
  readonly key: string;
  readonly values: readonly Json[];
  readonly isSame: boolean;
}

/** The keys of rows, and which of them have the same value in all. */
type RowKind = readonly Pick<Source, 'key' | 'isSame'>[];

type RowMaker = (count: number, columns: readonly (readonly Json[])[]) => Row[];

const findMaker = createCompiler<RowKind, RowMaker>(toCode, keyByKey);

/** Makes rows that have the same keys. */
export function makeAlikeRows(count: number, sources: readonly Source[]): Row[] {
  const make = findMaker(sources.map(({ key, isSame }) => ({ key, isSame })));
  return make(
    count,
    sources.map(({ values }) => values),
  );
}

function toCode(kind: RowKind): { parameters: string[]; body: string } {
  const names = kind.map((_, index) => `column${index}`);
  const parts = kind.map(({ key, isSame }, index) => {
    const value = `column${index}[${isSame ? 0 : 'index'}]`;
    // Plain keys let V8 lay the object out beforehand; this one would set the prototype.
    return key === '__proto__' ? `['__proto__']: ${value}` : `${JSON.stringify(key)}: ${value}`;
  });
  const body = `
    const [${names.join(', ')}] = columns;
    const rows = [];
    for (let index = 0; index < count; index += 1) rows.push({ ${parts.join(', ')} });
    return rows;`;
  return { parameters: ['count', 'columns'], body };
}

function keyByKey(kind: RowKind): RowMaker {
  return (count, columns) =>
    Array.from({ length: count }, (_, row) =>
      Object.fromEntries(
        kind.map(({ key, isSame }, index) => [key, columns[index]?.[isSame ? 0 : row] as Json]),
      ),
    );
}

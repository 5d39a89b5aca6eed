import type { Json } from '../../../schema/json.ts';

/** A row, made of the values of its keys. */
export type Row = Record<string, Json>;

/** The values of one key of some rows: one for each row, or one for all of them. */
export interface Source {
  readonly key: string;
  readonly values: readonly Json[];
  readonly isSame: boolean;
}

type RowMaker = (count: number, columns: readonly (readonly Json[])[]) => Row[];

/** So many kinds of rows are made by code of their own: the metadata of cases may have no end of kinds. */
const mostCompiled = 500;

const makers = new Map<string, RowMaker>();

/**
 * Makes rows that have the same keys. By code that is written for these keys, as V8 makes an object many times faster when
 * it sees the keys in the code than when they come from variables.
 */
export function makeAlikeRows(count: number, sources: readonly Source[]): Row[] {
  const kind = JSON.stringify(sources.map(({ key, isSame }) => [key, isSame]));
  let maker = makers.get(kind);
  if (maker === undefined) {
    maker = (makers.size < mostCompiled ? compileMaker(sources) : undefined) ?? keyByKey(sources);
    if (makers.size < mostCompiled) makers.set(kind, maker);
  }
  return maker(
    count,
    sources.map(({ values }) => values),
  );
}

/** Undefined in a process that may not make code out of text. */
function compileMaker(sources: readonly Source[]): RowMaker | undefined {
  const names = sources.map((_, index) => `column${index}`);
  const parts = sources.map(({ key, isSame }, index) => {
    const value = `column${index}[${isSame ? 0 : 'index'}]`;
    // Plain keys let V8 lay the object out beforehand; this one would set the prototype.
    return key === '__proto__' ? `['__proto__']: ${value}` : `${JSON.stringify(key)}: ${value}`;
  });
  const code = `
    const [${names.join(', ')}] = columns;
    const rows = [];
    for (let index = 0; index < count; index += 1) rows.push({ ${parts.join(', ')} });
    return rows;`;
  try {
    return new Function('count', 'columns', code) as RowMaker;
  } catch {
    return undefined;
  }
}

function keyByKey(sources: readonly Source[]): RowMaker {
  return (count, columns) =>
    Array.from({ length: count }, (_, row) =>
      Object.fromEntries(
        sources.map(({ key, isSame }, index) => [key, columns[index]?.[isSame ? 0 : row] as Json]),
      ),
    );
}

import type { Json } from '../../../schema/json.ts';
import { createCompiler } from './compiled.ts';

type Row = Readonly<Record<string, Json | undefined>>;

/** The values of each key; undefined when a row has other keys, or in another order. */
type ColumnTaker = (rows: readonly Row[]) => (Json | undefined)[][] | undefined;

const findTaker = createCompiler<readonly string[], ColumnTaker>(toCode, keyByKey);

/** Takes the values of each key out of rows that have just these keys, in this order; undefined when one has not. */
export function takeColumns(
  rows: readonly Row[],
  keys: readonly string[],
): (Json | undefined)[][] | undefined {
  return findTaker(keys)(rows);
}

function toCode(keys: readonly string[]): { parameters: string[]; body: string } {
  const takes = keys.map((key, index) => `column${index}.push(row[${JSON.stringify(key)}]);`);
  const names = keys.map((_, index) => `column${index}`);
  const body = `
    const keys = ${JSON.stringify(keys)};
    ${names.map((name) => `const ${name} = [];`).join('\n')}
    for (const row of rows) {
      let matched = 0;
      for (const key in row) {
        if (key !== keys[matched]) return undefined;
        matched += 1;
      }
      if (matched !== keys.length) return undefined;
      ${takes.join('\n')}
    }
    return [${names.join(', ')}];`;
  return { parameters: ['rows'], body };
}

function keyByKey(keys: readonly string[]): ColumnTaker {
  return (rows) => {
    for (const row of rows) {
      const own = Object.keys(row);
      if (own.length !== keys.length || own.some((key, index) => key !== keys[index])) return undefined;
    }
    return keys.map((key) => rows.map((row) => row[key]));
  };
}

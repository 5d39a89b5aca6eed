import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('./', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');

/** The exports of index.ts: each name with the file it comes from. */
const exported = [...read('index.ts').matchAll(/export (?:type )?\{([^}]*)\} from '([^']+)';/g)].flatMap(
  ([, names = '', file = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => ({ name, file })),
);

test('there are as many exports as index.ts has names', () => {
  expect(exported.length).toBeGreaterThan(80);
});

test.each(exported)('$name is explained where it is declared, in a sentence or more', ({ name, file }) => {
  const declaration = new RegExp(
    String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\nexport (?:function|const|type) ${name}\b`,
  );
  const comment = declaration.exec(read(file))?.[1] ?? '';
  expect(comment.replaceAll(/\s*\n\s*\*/g, ' ').trim()).toMatch(/^\S.{15,}[.:]/);
});

test.each(
  exported.filter(({ file }) => /interval|-test|mcnemar|sample-size|sequence|sprt|pass-at/.test(file)),
)('$name names its method if it is a function', ({ name, file }) => {
  const source = read(file);
  const start = source.indexOf(`export function ${name}(`);
  const isFunction = start >= 0;
  const comment = source.slice(source.lastIndexOf('/**', Math.max(0, start)), Math.max(0, start));
  expect(!isFunction || name === 'createMeanAccumulator' || comment.includes('Method: ')).toBe(true);
});

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Json } from '../../../schema/json.ts';
import { putTogether } from './put-together.ts';
import { putBack, setAside } from './set-aside.ts';
import { takeApart } from './take-apart.ts';

function throughJson(values: readonly unknown[]): Json[] {
  return putTogether(JSON.parse(JSON.stringify(takeApart(values))), values.length);
}

const texts = ['', 'x', '"', '\n', '\u0000', '\u2028', '\ud800', '🙂', '__proto__', 'constructor'];

/** A small generator of its own, so that a failure can be repeated by its seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
}

function randomJson(random: () => number, depth: number): unknown {
  const choice = Math.floor(random() * (depth > 0 ? 9 : 6));
  const text = texts[Math.floor(random() * texts.length)] as string;
  if (choice === 0) return null;
  if (choice === 1) return random() < 0.5;
  if (choice === 2) return Math.round(random() * 4) - 1.5;
  if (choice === 3) return 1;
  if (choice <= 5) return text;
  const items = Array.from({ length: Math.floor(random() * 4) }, () => randomJson(random, depth - 1));
  if (choice === 6) return items;
  const keys = items.map(() => texts[Math.floor(random() * texts.length)] as string);
  return JSON.parse(
    `{${items.map((item, index) => `${JSON.stringify(keys[index])}:${JSON.stringify(item)}`).join(',')}}`,
  );
}

test('what is put together is what JSON would have kept, whatever the values are', () => {
  for (let seed = 1; seed <= 3000; seed += 1) {
    const random = createRandom(seed);
    const values = Array.from({ length: 1 + Math.floor(random() * 8) }, () => randomJson(random, 4));
    expect(JSON.stringify(throughJson(values)), `seed ${seed}`).toBe(JSON.stringify(values));
  }
});

test('keys without a value, dates and other objects come back as JSON has them', () => {
  const values = [
    { a: undefined, b: 1, when: new Date(0), list: [undefined, { c: undefined }] },
    { b: 2, a: 1, when: new Date(1), map: new Map([[1, 2]]) },
  ];
  expect(throughJson(values)).toEqual(JSON.parse(JSON.stringify(values)));
});

test('rows of many kinds and rows of many keys come back as they were', () => {
  const kinds = Array.from({ length: 100 }, (_, index) => ({ [`key ${index}`]: index }));
  expect(throughJson(kinds)).toEqual(kinds);
  const wide = Array.from({ length: 3 }, () =>
    Object.fromEntries(kinds.flatMap((kind) => Object.entries(kind))),
  );
  expect(throughJson(wide)).toEqual(wide);
});

test('each row is an object of its own, unless sharing is asked for', () => {
  const column = takeApart([{ a: { b: 1 } }, { a: { b: 1 } }]);
  const [first, second] = putTogether(column, 2);
  expect(first).toEqual(second);
  expect(first).not.toBe(second);
  const [a, b] = putTogether(column, 2, { isShared: true });
  expect(a).toBe(b);
});

test('columns that are set aside are missing until they are put back', () => {
  const rows = [
    { verdicts: { keywords: { value: 1, words: 'all' }, latency: { value: 3 } }, words: 'kept' },
    { verdicts: { keywords: { value: 0.5, words: 'half' } }, words: 'kept' },
    { verdicts: {}, words: 'kept' },
  ];
  const isAside = (path: readonly string[]) => path.length === 3 && path[2] === 'words';
  const { kept, aside } = setAside(takeApart(rows), isAside);
  const bare = rows.map(({ verdicts, words }) => ({
    verdicts: Object.fromEntries(Object.entries(verdicts).map(([name, { value }]) => [name, { value }])),
    words,
  }));
  expect(putTogether(kept, 3)).toEqual(bare);
  putBack(kept, aside);
  expect(putTogether(kept, 3)).toEqual(rows);
});

test('what all rows have in common is kept once', () => {
  const rows = Array.from({ length: 256 }, (_, index) => ({ use: 'a long text that never changes', index }));
  expect(JSON.stringify(takeApart(rows)).split('never changes')).toHaveLength(2);
});

test('a process that may not make code out of text takes apart and puts together the same', () => {
  const rows = [{ a: 1, b: { c: 'x' } }, { a: 2, b: { c: 'y' } }, { a: 3 }];
  const program = `
    import { putTogether } from ${JSON.stringify(import.meta.resolve('./put-together.ts'))};
    import { takeApart } from ${JSON.stringify(import.meta.resolve('./take-apart.ts'))};
    const through = (rows) => putTogether(JSON.parse(JSON.stringify(takeApart(rows))), rows.length);
    const rows = ${JSON.stringify(rows)};
    console.log(JSON.stringify([through(rows), through(rows.slice(0, 2))]));`;
  const words = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual([rows, rows.slice(0, 2)]);
});

test('keys that objects have from elsewhere are keys like others', () => {
  const rows = ['{"__proto__": 1, "a": 2}', '{"__proto__": 3, "a": 4}'].map((text) => JSON.parse(text));
  expect(JSON.stringify(throughJson(rows))).toBe(JSON.stringify(rows));
  expect(putTogether({ kinds: [['constructor', 'a']], columns: { a: { same: 1 } } }, 1)).toStrictEqual([
    { a: 1 },
  ]);
  const column = { kinds: [['__proto__']], columns: JSON.parse('{"__proto__": {"values": [1, 2]}}') };
  expect(JSON.stringify(putTogether(column, 2))).toBe('[{"__proto__":1},{"__proto__":2}]');
});

import { expect, test } from 'vitest';
import { checkIdioms } from './check-idioms.ts';
import { checkTree } from './write-tree.ts';

const check = (text: string) => checkTree(checkIdioms, { 'src/a.ts': text });

test.each([
  ['a spread of one property', 'export const a = { ...(x !== undefined && { x }) };', 'write `x`'],
  [
    'one of another name',
    'export const a = { b: 1, ...(o.x !== undefined && { y: o.x }) };',
    'write `y: o.x`',
  ],
  ['an optional type', 'export interface A { readonly x?: string | undefined }', 'leave out `| undefined`'],
  ['a modifier in an expression', 'const a = /^(?i:error|fault): /;', 'V8 may misread'],
  ['one in a text', 'const a = String.raw`(?-i:${letters})`;', 'V8 may misread'],
  ['an import of a path', 'const a = await import(file);', 'a path of Windows is no address'],
  ['a value at once or later', 'export const a = (): Promise<string> | string => 1;', 'a promise alone'],
])('%s is found', (_, text, message) => {
  expect(check(text)).toEqual([expect.stringMatching(/^src\/a\.ts:1: /)]);
  expect(check(text)[0]).toContain(message);
});

test.each([
  [
    'a spread after another one, whose value it would replace',
    'const a = { ...given, ...(x !== undefined && { x }) };',
  ],
  ['a spread of a value that is computed', 'const a = { ...(x !== undefined && { x: f(x) }) };'],
  ['another condition', 'const a = { ...(x.length > 0 && { x }) };'],
  ['an import of a name, and of an address', "await import('pg'); await import(pathToFileURL(file).href);"],
  ['a group without one, and a lookbehind', 'const a = /(?:x|y)(?<!z)/i;'],
  ['a promise that there may not be', 'let a: Promise<string> | undefined;'],
  ['a type that is not optional', 'interface A { readonly x: string | undefined }'],
])('%s is not', (_, text) => {
  expect(check(text)).toEqual([]);
});

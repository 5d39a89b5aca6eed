import { describe, expect, it } from 'vitest';
// @ts-expect-error -- a build script without declarations
import { markFunctions as untyped } from './mark-functions.mjs';

interface Range {
  readonly start: number;
  readonly end: number;
}

const markFunctions: (code: string, isCalled: (range: Range) => boolean) => string = untyped;

const everything = () => true;

/** Marks the functions that begin with one of some texts. */
function markThose(code: string, ...beginnings: string[]): string {
  return markFunctions(code, ({ start }) => beginnings.some((text) => code.startsWith(text, start)));
}

describe('markFunctions', () => {
  it('puts a declared function at the head, as a constant', () => {
    expect(markThose('const one=add(0);function add(a){return a+1}export{add};', 'function add')).toBe(
      'const add=(function add(a){return a+1});const one=add(0);export{add};',
    );
  });

  it('marks what is inside of a function that it moves', () => {
    expect(markFunctions('let a;function add(b){return b.map((c)=>c+1)}', everything)).toBe(
      'const add=(function add(b){return b.map(((c)=>c+1))});let a;',
    );
  });

  it('marks asynchronous functions and generators, and no asynchronous arrow', () => {
    expect(markFunctions('async function a(){}function*b(){}const c=async()=>{};', everything)).toBe(
      'const a=(async function a(){});const b=(function*b(){});const c=async()=>{};',
    );
  });

  it('marks functions that begin or end at one place', () => {
    expect(markFunctions('const a=b=>c=>b+c;', everything)).toBe('const a=(b=>(c=>b+c));');
  });

  it('leaves methods, getters and what is not called as they are', () => {
    const code = 'const a={b(){},get c(){return 1}};class D{e(){}}function f(){}const g=()=>1;';
    expect(markThose(code, 'b', '(', 'get', 'e')).toBe(code.replace('()=>1', '(()=>1)'));
    expect(markThose(code)).toBe(code);
  });

  it('leaves functions that are declared in others where they are', () => {
    expect(markFunctions('function a(){return b();function b(){return 1}}', everything)).toBe(
      'const a=(function a(){return b();function b(){return 1}});',
    );
  });

  it('makes code that does the same', async () => {
    const code = `export const before = twice(2);
      function twice(a) { return [a, a].map((each) => each * 2).concat(even(3)); }
      function even(a) { return a === 0 || !odd(a - 1) === false; }
      function odd(a) { return a !== 0 && even(a - 1); }
      export { twice };`;
    const load = async (text: string) =>
      (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
        before: unknown;
        twice: (a: number) => unknown;
      };
    const [plain, marked] = [await load(code), await load(markFunctions(code, everything))];
    expect(marked.before).toEqual(plain.before);
    expect(marked.twice(5)).toEqual(plain.twice(5));
    expect(marked.twice.name).toBe('twice');
  });
});

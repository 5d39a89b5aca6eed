import { expect, test } from 'vitest';
import { stepsOf } from './known-transform.ts';

test.each([
  ['output', []],
  ['output.trim()', ['trim']],
  ['return output.trim().toLowerCase();', ['trim', 'lower-case']],
  ['JSON.parse(output).total', [{ path: 'total' }]],
  ['JSON.parse(output.trim()).items[0]["a b"].name', [{ path: 'items[0]["a b"].name' }]],
  ['output.choices?.[0]?.message.content', [{ path: 'choices[0].message.content' }]],
  ["output.split('\\n')[0]", [{ split: '\n', at: 0 }]],
  ["output.split(',')[1].trim()", [{ split: ',', at: 1 }, 'trim']],
  ['output.split("Answer:").pop().trim()', [{ split: 'Answer:', at: -1 }, 'trim']],
  ['output.split(",").at(-2)', [{ split: ',', at: -2 }]],
  ['(output) => output.a', [{ path: 'a' }]],
  ['JSON.parse(output).name.toUpperCase()', [{ path: 'name' }, 'upper-case']],
])('the transform %s has known steps, or none', (transform, steps) => {
  expect(stepsOf(transform)).toEqual(steps);
});

test.each([
  'output.length',
  'output.replace("a", "b")',
  'output.split(",")',
  'output + "!"',
  'output.trim() && process.exit()',
  'JSON.parse(output).map(x => x)',
  'outputs.a',
  'context.vars.x',
  'file://transform.js',
  'output[context.vars.x]',
  'output.constructor("return 1")()',
  '',
])('the transform %s is code that is not run', (transform) => {
  expect(stepsOf(transform)).toBeUndefined();
});

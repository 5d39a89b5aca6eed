import { expect, test } from 'vitest';
import type { Json } from '../../schema/json.ts';
import { findFailure } from './find-failure.ts';

test.each<[Json, string]>([
  [{ error: 'no such user' }, 'no such user'],
  [{ error: { code: 404, message: 'not found' } }, '{"code":404,"message":"not found"}'],
  [{ isError: true, content: 'no connection' }, 'no connection'],
  [{ is_error: true }, '{"is_error":true}'],
  [{ success: false, message: 'sold out' }, 'sold out'],
  [{ ok: false }, '{"ok":false}'],
  [{ status: 'error', message: 'down' }, 'down'],
  [{ errors: [{ message: 'syntax' }] }, '[{"message":"syntax"}]'],
  ['{"error": "timeout"}', 'timeout'],
  ['Error: user not found', 'Error: user not found'],
  ['ValueError: invalid literal', 'ValueError: invalid literal'],
  ['Query failed: database is locked', 'Query failed: database is locked'],
])('%j is the result of a failed call', (result, said) => {
  expect(findFailure(result)).toBe(said);
});

test.each<[Json]>([
  [''],
  [null],
  [0],
  [false],
  [[]],
  [{}],
  [{ error: null }],
  [{ error: '' }],
  [{ error: [] }],
  [{ errors: [], data: {} }],
  [{ errors: [{ message: 'one field' }], data: { user: 1 } }],
  [{ status: 'failed', payment: 5 }],
  [{ success: true }],
  ['{"hits": 0}'],
  ['None'],
  ['null'],
  ['no response'],
  ['{not JSON'],
  ['There was no error in the log.'],
  ['Errors are listed in chapter 4.'],
])('%j is not', (result) => {
  expect(findFailure(result)).toBeUndefined();
});

import { expect, test } from 'vitest';
import { isStrictSchema } from './is-strict-schema.ts';

const closed = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
};

test.each([
  ['all required, nothing else allowed', closed, true],
  ['an optional property', { ...closed, required: [] }, false],
  ['others allowed', { ...closed, additionalProperties: true }, false],
  ['a loose object inside', { ...closed, properties: { a: { type: 'object' } } }, false],
  [
    'a loose object in a list',
    { ...closed, properties: { a: { type: 'array', items: { type: 'object' } } } },
    false,
  ],
  [
    'a property that is called properties',
    { ...closed, properties: { properties: closed }, required: ['properties'] },
    true,
  ],
])('%s', (_what, schema, strict) => {
  expect(isStrictSchema(schema)).toBe(strict);
});

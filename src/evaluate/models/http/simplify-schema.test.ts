import { expect, test } from 'vitest';
import { simplifySchema } from './simplify-schema.ts';

const schema = {
  type: 'object',
  properties: {
    score: { type: 'number', minimum: 0, maximum: 1 },
    minimum: { type: 'string', enum: ['low', 'high'] },
    checks: { type: 'array', items: { type: 'object', properties: { of: { type: 'integer', minimum: 1 } } } },
    id: { type: 'string', enum: ['k7f3q9ab'] },
  },
  required: ['score', 'minimum', 'checks', 'id'],
};

test('values that change with each request are removed, and bounds where they are refused; property names stay', () => {
  const checks = schema.properties.checks;
  expect(simplifySchema(schema)).toEqual({
    ...schema,
    properties: { ...schema.properties, id: { type: 'string' } },
  });
  expect(simplifySchema(schema, { bounds: true })).toEqual({
    ...schema,
    properties: {
      score: { type: 'number' },
      minimum: schema.properties.minimum,
      checks: { ...checks, items: { ...checks.items, properties: { of: { type: 'integer' } } } },
      id: { type: 'string' },
    },
  });
});

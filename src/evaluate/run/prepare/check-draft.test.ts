import { expect, test } from 'vitest';
import { z } from 'zod';
import { caseSchema } from '../../../core/schema/case.ts';
import { compileSchema } from './check-draft.ts';

const named = () => z.lazy(() => z.object({ name: z.string().min(1), inner: z.lazy(() => z.number()) }));

test('a schema is compiled with the lazy parts of its lazy parts', () => {
  const schema = z.object({ one: named(), many: z.array(z.union([z.string(), named()])).optional() });
  expect(() => z.compile(schema, { strict: true })).toThrow('reference cycle');
  compileSchema(schema);
  expect(() => z.compile(schema, { strict: true })).not.toThrow();
});

test('the schema of cases can be compiled', () => {
  compileSchema(caseSchema);
  expect(() => z.compile(caseSchema, { strict: true })).not.toThrow();
});

test('a compiled schema gives the same results as the original', () => {
  const plain = z.object({ one: named(), tags: z.array(z.string()).default([]) });
  const compiled = compileSchema(z.object({ one: named(), tags: z.array(z.string()).default([]) }));
  for (const value of [
    { one: { name: 'a', inner: 1 } },
    { one: { name: '', inner: 1 }, tags: ['x', 2] },
    { one: { name: 'a' }, other: true },
    [],
    null,
  ]) {
    const [expected, given] = [plain.safeParse(value), compiled.safeParse(value)];
    expect(given.data).toEqual(expected.data);
    expect(given.error?.issues).toEqual(expected.error?.issues);
  }
});

test('a recursive schema works without compiling', () => {
  interface Tree {
    branches: Tree[];
  }
  const tree: z.ZodType<Tree> = z.lazy(() => z.object({ branches: z.array(tree) }));
  const compiled = compileSchema(tree);
  expect(compiled.safeParse({ branches: [{ branches: [] }] }).success).toBe(true);
  expect(compiled.safeParse({ branches: [{}] }).success).toBe(false);
});

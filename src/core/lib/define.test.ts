import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { define, rememberedDefinition } from './define.ts';

const common = { kind: 'thing', name: 'echo', version: 1, summary: 'Says it again.' } as const;

test('options given as a function are created once, at the first use', () => {
  const schema = z.object({ times: z.number().default(2) });
  const options = vi.fn<() => typeof schema>(() => schema);
  const echo = define({ ...common, options, create: ({ times }) => 'la'.repeat(times) });
  const use = echo({ times: 3 });
  expect(options).not.toHaveBeenCalled();
  expect(rememberedDefinition(use)).toBe(echo.definition);
  expect(echo.definition.create(echo.definition.options.parse(use), undefined)).toBe('lalala');
  expect(echo.definition.options).toBe(echo.definition.options);
  expect(options).toHaveBeenCalledOnce();
});

test('options may be given as a schema', () => {
  const options = z.object({ times: z.number().default(2) });
  const echo = define({ ...common, options, create: ({ times }) => 'la'.repeat(times) });
  expect(echo.definition.options).toBe(options);
});

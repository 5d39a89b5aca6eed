import { expect, test } from 'vitest';
import { withStubs } from './port-code.ts';

const translation = { found: 'a file', cases: [] };

test('code is a comment above a function that throws, and the metric is in the config', async () => {
  const code = 'output > 1\u2028globalThis.ran = 1 /* \r globalThis.ran = 2 */';
  const checks = ['a', 'b'].map((caseId) => ({ part: 'assertion javascript', code, caseId }));
  const every = { part: 'grader python', code: 'x = 1', caseId: undefined };
  const { config, files = {} } = withStubs(translation, [...checks, every], 'code');
  expect(config).toEqual({
    metrics: [
      { use: 'function', name: 'javascript (check1)', path: 'code/checks.mjs', export: 'check1' },
      { use: 'function', name: 'python (check2)', path: 'code/checks.mjs', export: 'check2' },
    ],
  });
  const stubs = await import(`data:text/javascript,${encodeURIComponent(files['code/checks.mjs'] ?? '')}`);
  expect(stubs.check1({ answer: 'x', case: { id: 'c' } })).toEqual({ notApplicable: 'another case' });
  expect(() => stubs.check1({ answer: 'x', case: { id: 'b' } })).toThrow('check1 is not written yet');
  expect(() => stubs.check2({ answer: 'x', case: { id: 'c' } })).toThrow('check2 is not written yet');
  expect(globalThis).not.toHaveProperty('ran');
  expect(withStubs(translation, [], 'code')).toBe(translation);
});

test.each(['/tmp/code', '../code', 'code/../../other'])('the folder %s is not in the project', (folder) => {
  expect(() => withStubs(translation, [], folder)).toThrow('not in the project');
});

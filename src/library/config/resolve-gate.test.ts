import { expect, test } from 'vitest';
import { ConfigProblem } from './config-problem.ts';
import { checkConfig } from './resolve.ts';
import { resolveAttempts } from './resolve-gate.ts';

const config = (settings: object) =>
  checkConfig({ dataset: 'golden.jsonl', targets: [{ use: 'module', path: './bot.ts' }], ...settings });

function problemOf(settings: object): string | undefined {
  try {
    resolveAttempts(config(settings));
    return undefined;
  } catch (error) {
    return error instanceof ConfigProblem ? error.issues[0]?.message : String(error);
  }
}

test('without a rule, every attempt counts separately', () => {
  expect(resolveAttempts(config({}))).toEqual({ attempts: 1 });
  expect(resolveAttempts(config({ attempts: 3 }))).toEqual({ attempts: 3 });
});

test('a rule sets the number of attempts, or leaves it to `attempts`', () => {
  const four = { attempts: 5, caseRule: { passes: 4, isCurtailed: true } };
  expect(resolveAttempts(config({ passes: '4 of 5' }))).toEqual(four);
  expect(resolveAttempts(config({ passes: 4, attempts: 5 }))).toEqual(four);
  expect(resolveAttempts(config({ passes: '4 of 5', attempts: 5 }))).toEqual(four);
  expect(resolveAttempts(config({ passes: '4 of 5', curtail: false })).caseRule?.isCurtailed).toBe(false);
});

test('an impossible rule is refused', () => {
  expect(problemOf({ passes: '5 of 4' })).toContain('5 attempts cannot pass where 4 are made');
  expect(problemOf({ passes: 2 })).toContain('where one is made');
  expect(problemOf({ passes: '4 of 5', attempts: 3 })).toContain('it sets 5 attempts');
  expect(problemOf({ passes: '1 of 2', scorecard: null })).toContain('it needs a scorecard');
  expect(problemOf({ passes: 'four of five' })).toContain('4 of 5');
});

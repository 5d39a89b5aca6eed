import type { Comparison } from '../../schema/call-pattern.ts';
import type { Expected } from '../../schema/case.ts';
import { comparisonOf, flattenItems, readRules } from './compile-rules.ts';
import { compileCall, type ExpectedCall } from './expected-call.ts';

const atLeastOnce = { min: 1 };

/**
 * The calls that a case lists, in no order, for the graded metrics: those of `expect`, or of `must`, or none under `none`,
 * or those of `expected.tools`, the first of these that is there; undefined when the case lists none. Where it does not say
 * how often, those of `expect` are to be made once, the others once or more.
 */
export function listExpected({ calls, tools }: Expected, defaults: Comparison): ExpectedCall[] | undefined {
  const rules = readRules(calls);
  const comparison = { ...defaults, ...comparisonOf(rules) };
  const { expect, must, none } = rules;
  if (expect !== undefined) return flattenItems(expect).map((item) => compileCall(item, comparison));
  const listed = must ?? (none === undefined ? tools : []);
  return listed?.map((item) => {
    const parts = typeof item === 'string' ? { name: item } : item;
    return compileCall({ ...parts, times: parts.times ?? atLeastOnce }, comparison);
  });
}

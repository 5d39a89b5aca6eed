import type { CallPattern, Comparison, CountedCall, ExpectedTool } from '../../schema/call-pattern.ts';
import type { Expected } from '../../schema/case.ts';
import type { CallRules, ExpectItem, OrderRule } from '../../schema/expected-calls.ts';
import { compileCall, type ExpectedCall } from './expected-call.ts';
import { compileFailures } from './rules/failures-rule.ts';
import { checkNone, compileMustNot, compileOnly } from './rules/limit-rules.ts';
import { compileMust } from './rules/must-rule.ts';
import { compileOrder } from './rules/order-rule.ts';
import { compilePairs } from './rules/pairs-rule.ts';
import type { CallRule } from './rules/rule.ts';
import { compileSequence } from './rules/sequence-rule.ts';

/** The rules of a case for tool calls, ready to be checked. */
export interface CompiledRules {
  readonly rules: readonly CallRule[];
  /** Whether a rule asks what became of calls. */
  readonly needsOutcomes: boolean;
}

type Pattern = CallPattern | CountedCall | ExpectedTool;

/**
 * Makes the rules of `expected.calls` and `expected.tools`; none when the case says nothing about calls. Throws a
 * `TouchstoneError` for a matcher that cannot be used.
 * @param defaults - How arguments are compared where the case does not say.
 */
export function compileRules({ calls, tools = [] }: Expected, defaults: Comparison): CompiledRules {
  const written = readRules(calls);
  const compiled: ExpectedCall[] = [];
  const compile = (pattern: Pattern): ExpectedCall => {
    const call = compileCall(pattern, { ...defaults, ...comparisonOf(written) });
    compiled.push(call);
    return call;
  };
  const rules = [
    ...rulesOf(written, compile),
    ...(tools.length === 0 ? [] : [compileMust(tools.map(compile))]),
  ];
  return {
    rules,
    needsOutcomes: written.failures !== undefined || compiled.some((call) => call.needsOutcome),
  };
}

/** The rules of a case as an object, whichever way they are written. */
export function readRules(calls: Expected['calls'] = {}): CallRules {
  return Array.isArray(calls) ? { expect: calls } : calls;
}

/** What a case, or the options of a metric, say about how arguments are compared. */
export function comparisonOf({ match, ignore, tolerance, text }: Comparison): Comparison {
  const said = { match, ignore, tolerance, text };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

type Compile = (pattern: Pattern) => ExpectedCall;

function* rulesOf(written: CallRules, compile: Compile): Generator<CallRule> {
  const { expect, must, mustNot, only, none, order, failures } = written;
  if (none !== undefined) yield checkNone;
  if (expect !== undefined) yield compileExpect(expect, written, compile);
  if (must !== undefined) yield compileMust(must.map(compile));
  if (mustNot !== undefined) yield compileMustNot(mustNot.map(compile));
  if (only !== undefined) yield compileOnly(only.map(compile));
  for (const rule of order ?? []) yield compileOrderRule(rule, compile);
  if (failures !== undefined) yield compileFailures(failures);
}

function compileExpect(
  items: readonly ExpectItem[],
  { mode = 'unordered', extra }: CallRules,
  compile: Compile,
): CallRule {
  if (mode === 'strict') return compileSequence(compileSteps(items, compile), false);
  if (mode === 'in-order') return compileSequence(compileSteps(items, compile), extra ?? true);
  const allowsExtra = mode === 'superset' || (mode === 'unordered' && extra === true);
  return compilePairs(flattenItems(items).map(compile), { allowsMissing: mode === 'subset', allowsExtra });
}

function compileSteps(items: readonly ExpectItem[], compile: Compile) {
  return items.map((item) => (isGroup(item) ? { together: item.together.map(compile) } : compile(item)));
}

/** The calls of a list, those of groups one by one. */
export function flattenItems(items: readonly ExpectItem[]): CountedCall[] {
  return items.flatMap((item): CountedCall[] => (isGroup(item) ? item.together : [item]));
}

function isGroup(item: ExpectItem): item is Exclude<ExpectItem, CountedCall> {
  return typeof item === 'object' && 'together' in item;
}

function compileOrderRule({ call, after, before }: OrderRule, compile: Compile): CallRule {
  const compileAll = (patterns: OrderRule['after']) =>
    patterns === undefined ? [] : [patterns].flat().map(compile);
  return compileOrder({ call: compile(call), after: compileAll(after), before: compileAll(before) });
}

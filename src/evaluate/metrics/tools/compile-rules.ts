import type { Expected } from '../../../core/schema/expected.ts';
import type {
  CallPattern,
  CallRules,
  Comparison,
  CountedCall,
  ExpectedTool,
  ExpectItem,
  OrderRule,
} from '../../../core/schema/expected-calls.ts';
import { assign } from '../matching/assign.ts';
import { compileCall, type ExpectedCall } from './expected-call.ts';
import { type CallSlot, callSlots } from './grade-calls.ts';
import type { ActualCall } from './read-calls.ts';
import {
  type CallRule,
  compileFailures,
  countTimes,
  describeMissing,
  describeTimes,
  nameCall,
  nearestCall,
} from './rules/rule.ts';
import { compileSequence } from './rules/sequence-rule.ts';

/** The rules of a case for tool calls, compiled. */
export interface CompiledRules {
  readonly rules: readonly CallRule[];
  /** True when a rule depends on the outcome of calls. */
  readonly needsOutcomes: boolean;
}

type Pattern = CallPattern | CountedCall | ExpectedTool;

/**
 * Compiles the rules of `expected.calls` and `expected.tools`; an empty list when the case states none. Throws a
 * `TouchstoneError` for a matcher that cannot be used.
 * @param defaults - The comparison of arguments for calls of which the case states none.
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

/** Returns the rules of a case as an object, in whichever form they are written. */
export function readRules(calls: Expected['calls'] = {}): CallRules {
  return Array.isArray(calls) ? { expect: calls } : calls;
}

/** Returns the comparison of arguments that a case, or the options of a metric, state. */
export function comparisonOf({ match, ignore, tolerance, text }: Comparison): Comparison {
  const stated = { match, ignore, tolerance, text };
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined));
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

/** Returns the calls of a list, with the calls of groups one by one. */
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

const atLeastOnce = { least: 1, most: Number.POSITIVE_INFINITY };

/** Compiles `must`: each expected call was made, as often as stated; one call may satisfy several of them. */
function compileMust(expected: readonly ExpectedCall[]): CallRule {
  return ({ calls }) =>
    expected.flatMap((call) => {
      const times = call.times ?? atLeastOnce;
      const count = calls.filter((actual) => call.fits(actual)).length;
      if (count >= times.least && count <= times.most) return [];
      if (count === 0) return [describeMissing(call, calls)];
      return [`${call.text} was called ${countTimes(count)}, expected ${describeTimes(times)}`];
    });
}

/** Compiles `mustNot`: no call matches one of these. */
function compileMustNot(unwanted: readonly ExpectedCall[]): CallRule {
  return ({ calls, abandoned }) =>
    [...calls, ...abandoned]
      .filter((call) => unwanted.some((pattern) => pattern.fits(call)))
      .map((call) => `${nameCall(call)}, is forbidden`);
}

/** Compiles `only`: every call matches one of these. */
function compileOnly(allowed: readonly ExpectedCall[]): CallRule {
  const list = allowed.map(({ text }) => text).join(', ');
  return ({ calls }) =>
    calls
      .filter((call) => !allowed.some((pattern) => pattern.fits(call)))
      .map((call) => `${nameCall(call)}, is not among those allowed: ${list}`);
}

/** Checks `none`: there is no call. */
const checkNone: CallRule = ({ calls }) =>
  calls.map((call) => `${nameCall(call)}, was made although no tool may be called`);

/** A rule of `order` with compiled patterns. */
interface CompiledOrder {
  readonly call: ExpectedCall;
  readonly after: readonly ExpectedCall[];
  readonly before: readonly ExpectedCall[];
}

/**
 * Compiles `order`: every call that matches `call` has a call like each of `after` earlier, and like each of `before`
 * later.
 */
function compileOrder({ call: pattern, after, before }: CompiledOrder): CallRule {
  return ({ calls }) => {
    const firsts = after.map((earlier) => calls.findIndex((call) => earlier.fits(call)));
    const lasts = before.map((later) => calls.findLastIndex((call) => later.fits(call)));
    return calls.flatMap((call, index) => {
      if (!pattern.fits(call)) return [];
      return [
        ...after
          .filter((_, place) => !isBetween(firsts[place], 0, index - 1))
          .map(({ text }) => `${nameCall(call)}, was made before ${text}`),
        ...before
          .filter((_, place) => !isBetween(lasts[place], index + 1, calls.length))
          .map(({ text }) => `${nameCall(call)}, had no ${text} after it`),
      ];
    });
  };
}

function isBetween(place = -1, least: number, most: number): boolean {
  return place >= least && place <= most;
}

/** The deviations that modes without an order allow. */
interface PairsOptions {
  /** True when expected calls may be missing, as in the mode `subset`. */
  readonly allowsMissing: boolean;
  /** True when there may be other calls than the expected ones, as in the mode `superset`. */
  readonly allowsExtra: boolean;
}

/**
 * Compiles the modes `unordered`, `superset` and `subset`: expected and actual calls are paired one to one so that as
 * many as possible of those that need a partner have one. An actual call that matches an expectation with `times` needs
 * a partner even when extra calls are allowed; otherwise it is one too many.
 */
function compilePairs(
  expected: readonly ExpectedCall[],
  { allowsMissing, allowsExtra }: PairsOptions,
): CallRule {
  const limited = expected.filter(({ times }) => times !== undefined);
  return ({ calls }) => {
    const slots = callSlots(expected, calls);
    const needs = calls.map((call) => Number(!allowsExtra || limited.some((pattern) => pattern.fits(call))));
    const weights = slots.map(({ call: pattern, isRequired }) =>
      calls.map((call, column) =>
        pattern.fits(call) ? Number(isRequired && !allowsMissing) + (needs[column] ?? 0) : 0,
      ),
    );
    const paired = assign(weights);
    const partners = new Set(paired);
    const left = calls.filter((_, column) => !partners.has(column));
    const missing = slots.filter(({ isRequired }, row) => isRequired && paired[row] === null);
    if (allowsMissing) return describeLeft(left, expected, allowsExtra);
    const filled = slots.filter((_, row) => paired[row] !== null);
    const near = missing.map(({ call }) => takeNearest(call, left));
    return [
      ...new Set(missing.map(({ call }, index) => describeUnfilled(call, filled, near[index]))),
      ...describeLeft(left, expected, allowsExtra),
    ];
  };
}

/** Removes the call nearest to an expected one from those left, so that it is reported once. */
function takeNearest(expected: ExpectedCall, left: ActualCall[]): ActualCall[] {
  const nearest = nearestCall(expected, left);
  return nearest === undefined ? [] : left.splice(left.indexOf(nearest), 1);
}

function describeUnfilled(
  call: ExpectedCall,
  filled: readonly CallSlot[],
  near: readonly ActualCall[] = [],
): string {
  const count = filled.filter((slot) => slot.call === call).length;
  if (near.length > 0 || count === 0 || call.times === undefined) return describeMissing(call, near);
  return `${call.text} was called ${countTimes(count)}, expected ${describeTimes(call.times)}`;
}

function describeLeft(
  left: readonly ActualCall[],
  expected: readonly ExpectedCall[],
  allowsExtra: boolean,
): string[] {
  return left.flatMap((call) => {
    const times = expected.find((pattern) => pattern.times !== undefined && pattern.fits(call))?.times;
    if (times !== undefined) return [`${nameCall(call)}, is one too many: expected ${describeTimes(times)}`];
    return allowsExtra ? [] : [`${nameCall(call)}, was not expected`];
  });
}

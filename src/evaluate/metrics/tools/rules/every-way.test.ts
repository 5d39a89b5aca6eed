import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CallMode, callModeSchema } from '../../../../core/schema/expected-calls.ts';
import type { Verdict } from '../../../../core/schema/verdict.ts';
import { buildCase, buildTrial } from '../../../../library/testing/build-records.ts';
import { toolCalls } from '../tool-calls.ts';

interface Made {
  readonly name: string;
  readonly arguments: { readonly x: number };
}
interface Step {
  readonly name: string;
  readonly arguments?: { readonly x: number };
  readonly times?: { readonly min: number; readonly max: number };
}
interface Together {
  readonly together: readonly Step[];
}
type Placed = Made & { readonly message: number };

const metric = toolCalls.definition.create({ ignoreTools: [] }, {});

function fits(step: Step, call: Made): boolean {
  return step.name === call.name && (step.arguments === undefined || step.arguments.x === call.arguments.x);
}

/** Returns whether some assignment of calls to steps, or to none, is right by the wording of the documentation. */
function tryEveryWay(mode: CallMode, steps: readonly (Step | Together)[], calls: readonly Placed[]): boolean {
  const isOrdered = mode === 'strict' || mode === 'in-order';
  const allowsExtra = mode === 'in-order' || mode === 'superset';
  const mayBeLeft = (call: Made) => allowsExtra && !steps.some((step) => 'times' in step && fits(step, call));

  const isRight = (givenTo: readonly number[]) =>
    steps.every((step, index) => {
      const own = calls.filter((_, place) => givenTo[place] === index);
      if ('together' in step) return isGroup(step, own, mode === 'strict' ? calls : own);
      const { min, max } = step.times ?? { min: 1, max: 1 };
      const isEnough = own.length >= min || mode === 'subset';
      return isEnough && own.length <= max && own.every((call) => fits(step, call));
    });
  const give = (givenTo: readonly number[]): boolean => {
    const call = calls[givenTo.length];
    if (call === undefined) return isRight(givenTo);
    if (mayBeLeft(call) && give([...givenTo, -1])) return true;
    const first = isOrdered ? Math.max(0, ...givenTo) : 0;
    return steps.some((_, index) => index >= first && give([...givenTo, index]));
  };
  return give([]);
}

function isGroup({ together }: Together, own: readonly Placed[], all: readonly Placed[]): boolean {
  const ofMessage = all.filter(({ message }) => message === own[0]?.message);
  const isWhole = own.length === together.length && ofMessage.length === own.length;
  return isWhole && own.every((call) => ofMessage.includes(call)) && canBeGiven(together, own);
}

function canBeGiven([first, ...rest]: readonly Step[], calls: readonly Made[]): boolean {
  if (first === undefined) return true;
  return calls.some((call, index) => fits(first, call) && canBeGiven(rest, calls.toSpliced(index, 1)));
}

const name = fc.constantFrom('a', 'b');
const given = fc.record({ x: fc.constantFrom(1, 2) });
const pattern = fc.oneof(fc.record({ name }), fc.record({ name, arguments: given }));
const times = fc.constantFrom(
  { min: 0, max: 0 },
  { min: 2, max: 2 },
  { min: 0, max: 1 },
  { min: 1, max: 3 },
  { min: 0, max: 2 },
);
const single: fc.Arbitrary<Step> = fc.oneof(
  pattern,
  fc.record({ name, times }),
  fc.record({ name, arguments: given, times }),
);
const group = fc.record({ together: fc.array(pattern, { minLength: 1, maxLength: 2 }) });
const message = fc.array(fc.record({ name, arguments: given }), { minLength: 1, maxLength: 3 });
const messages = fc.array(message, { maxLength: 3 }).filter((asked) => asked.flat().length <= 5);

test.each(callModeSchema.options)('%s agrees with trying every assignment of calls to steps', (mode) => {
  const isOrdered = mode === 'strict' || mode === 'in-order';
  const steps = fc.array<Step | Together>(isOrdered ? fc.oneof(single, group) : single, { maxLength: 3 });
  fc.assert(
    fc.property(steps, messages, (expected, asked) => {
      const calls = { mode, expect: structuredClone(expected) as Step[] };
      const transcript = asked.map((toolCalls) => ({ role: 'assistant' as const, content: null, toolCalls }));
      const placed = asked.flatMap((made, place) => made.map((call) => ({ ...call, message: place })));
      const verdict = metric.score({
        case: buildCase({ expected: { calls } }),
        trial: buildTrial('x', { transcript }),
      }) as Verdict;
      expect(verdict).toMatchObject({ status: 'scored', passed: tryEveryWay(mode, expected, placed) });
    }),
    { numRuns: 300 },
  );
});

import type { RuleDecision } from '../../schema/decision.ts';
import type { Outcome } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import type { MarkedCases } from '../read-marks.ts';
import { createReading, type Reading } from '../reading.ts';
import { type CaseNumbers, createCaseNumbers } from '../rules/case-numbers.ts';
import type { Finding, FoundBaseline, GateCase } from '../rules/gate-rule.ts';
import { keyOfSubject, type Subject } from '../rules/phrases.ts';
import type { CaseOrder } from './case-order.ts';
import type { UnitScope } from './unit-evidence.ts';

/** Where a rule stands while its run goes on: decided, or not yet. */
export type Standing = 'pass' | 'fail' | 'continue';

/** What a rule says of a target while the answers come. */
export interface RuleWatch {
  /** Records a trial, in whatever order they come; what is read of it is in the numbers of the rule. */
  add?(position: number, outcome: Outcome): void;
  /** All cases of the next unit of the random order are answered: these alone may count. */
  advance(unit: Uint32Array): void;
  standing(): Standing;
  finding(): Finding;
}

/** What a watch is told of in a report. */
type RuleName = Pick<RuleDecision, 'name' | 'type' | 'target' | 'category'>;

/** Greatest chances with which a rule may be passed, or failed, although it should not. */
export interface ErrorRates {
  readonly pass: number;
  readonly fail: number;
}

/** A rule before the error is shared out. */
export interface PlannedWatch {
  readonly rule: RuleName;
  /** The confidence that the rule itself asks for; undefined where it is about the plan alone. */
  readonly confidence?: number | undefined;
  /**
   * `statistical`: it may be decided wrongly; `exact`: not; `provisional`: it is about what is asked, and so never a reason
   * to ask no more.
   */
  readonly kind: 'statistical' | 'exact' | 'provisional';
  begin(rates: ErrorRates): RuleWatch;
}

/** What rules of a target are watched with. */
export interface WatchContext {
  readonly run: Run;
  readonly target: string;
  readonly marks: MarkedCases;
  readonly order: CaseOrder;
  readonly baseline: FoundBaseline;
  readonly numbers: TargetNumbers;
}

/** A rule, and the cases that it is about: those that count, of one category where it names one. */
export interface WatchPlace extends WatchContext {
  readonly rule: RuleName;
  readonly cases: readonly GateCase[];
}

/** The numbers of a subject, or why the run does not have it. */
export function numbersOf(
  { run, numbers }: WatchContext,
  subject: Subject,
): CaseNumbers | { readonly reason: string } {
  const reading = createReading(run, subject);
  return 'reason' in reading ? reading : numbers.read(keyOfSubject(subject), reading);
}

/** The cases of a rule by position, and the units that they make up. */
export function scopeOf(
  { run, order, cases }: WatchPlace,
  isAboutPlan: boolean,
): { readonly scope: Uint8Array; readonly units: UnitScope } {
  const scope = new Uint8Array(run.dataset.cases);
  for (const { position } of cases) scope[position] = 1;
  let [largest, population] = [1, 0];
  for (const unit of unitsIn(order)) {
    const size = unit.reduce((sum, position) => sum + (scope[position] as number), 0);
    largest = Math.max(largest, size);
    population += Number(size > 0);
  }
  return { scope, units: { largest, population: isAboutPlan ? population : undefined } };
}

/** The units of an order, one after the other. */
function* unitsIn({ positions, starts }: CaseOrder): Generator<Uint32Array> {
  for (let unit = 0; unit + 1 < starts.length; unit += 1) {
    yield positions.subarray(starts[unit], starts[unit + 1]);
  }
}

/** The numbers of a target as its answers come, each read once for all rules that ask for them. */
export interface TargetNumbers {
  /** The numbers under a key, which another rule may have asked for already. */
  read(key: string, reading: Reading): CaseNumbers;
  add(position: number, outcome: Outcome): void;
}

/** Numbers of a run that are read as they come. */
export function createTargetNumbers({ dataset, attempts }: Run): TargetNumbers {
  const all = new Map<string, ReturnType<typeof createCaseNumbers>>();
  return {
    read: (key, reading) => {
      const numbers = all.get(key) ?? createCaseNumbers(reading, dataset.cases, attempts);
      all.set(key, numbers);
      return numbers;
    },
    add: (position, outcome) => {
      for (const numbers of all.values()) numbers.add(position, outcome);
    },
  };
}

/** Whether a trial took at most so many milliseconds. */
export function readIsWithin(atMostMs: number): Reading {
  return {
    unit: () => undefined,
    read: ({ trial }) => {
      const time = trial.status === 'completed' ? trial.latency?.totalMs : undefined;
      if (time === undefined) return { status: 'missing', low: 0, high: 1 };
      return { status: 'measured', value: Number(time <= atMostMs) };
    },
  };
}

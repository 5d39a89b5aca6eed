import type { RuleDecision } from '../../../core/schema/decision.ts';
import type { Outcome } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { MarkedCases } from '../read-marks.ts';
import { createReading, type Reading } from '../reading.ts';
import { type CaseNumbers, createCaseNumbers } from '../case-numbers.ts';
import type { Finding, FoundBaseline, GateCase } from '../gate-rule.ts';
import { keyOfSubject, type Subject } from '../phrases.ts';
import type { CaseOrder } from './case-order.ts';
import type { UnitScope } from './unit-evidence.ts';

/** The status of a rule while its run is in progress: decided or not. */
export type RuleStatus = 'pass' | 'fail' | 'continue';

/** The evaluation of a rule for a target while answers arrive. */
export interface RuleWatch {
  /** Records a trial, in any order; its values are read from the numbers of the rule. */
  add?(position: number, outcome: Outcome): void;
  /** Advances by the next unit of the random order, all of whose cases are answered: only such cases count. */
  advance(unit: Uint32Array): void;
  status(): RuleStatus;
  finding(): Finding;
}

/** The identification of a rule in reports. */
type RuleName = Pick<RuleDecision, 'name' | 'type' | 'target' | 'category'>;

/** Largest probabilities of passing, or failing, a rule wrongly. */
export interface ErrorRates {
  readonly pass: number;
  readonly fail: number;
}

/** A rule before the error is divided. */
export interface PlannedWatch {
  readonly rule: RuleName;
  /** The confidence that the rule sets; undefined when it is about the plan alone. */
  readonly confidence?: number;
  /**
   * `statistical`: the rule may be decided wrongly; `exact`: it cannot; `provisional`: it is about the trials made so
   * far, and therefore never a reason to stop.
   */
  readonly kind: 'statistical' | 'exact' | 'provisional';
  begin(rates: ErrorRates): RuleWatch;
}

/** The context in which the rules of a target are watched. */
export interface WatchContext {
  readonly run: Run;
  readonly target: string;
  readonly marks: MarkedCases;
  readonly order: CaseOrder;
  readonly baseline: FoundBaseline;
  readonly numbers: TargetNumbers;
  /** The judged metrics with certificates: what rests on them is corrected at the end, and never decided before. */
  readonly certified: ReadonlySet<string>;
}

/** A rule with the cases that it applies to: those that count, limited to its category if it has one. */
export interface WatchPlace extends WatchContext {
  readonly rule: RuleName;
  readonly cases: readonly GateCase[];
}

/** Returns the numbers of a subject, or the reason why the run does not have it. */
export function numbersOf(
  { run, numbers }: WatchContext,
  subject: Subject,
): CaseNumbers | { readonly reason: string } {
  const reading = createReading(run, subject);
  return 'reason' in reading ? reading : numbers.read(keyOfSubject(subject), reading);
}

/** Returns the cases of a rule by position, with the units that they form. */
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

/** Yields the units of an order. */
function* unitsIn({ positions, starts }: CaseOrder): Generator<Uint32Array> {
  for (let unit = 0; unit + 1 < starts.length; unit += 1) {
    yield positions.subarray(starts[unit], starts[unit + 1]);
  }
}

/** The numbers of a target, updated with each answer and shared by all rules. */
export interface TargetNumbers {
  /** Returns the numbers under a key; another rule may have created them already. */
  read(key: string, reading: Reading): CaseNumbers;
  add(position: number, outcome: Outcome): void;
}

/** Creates the numbers of a target, which are updated as outcomes arrive. */
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

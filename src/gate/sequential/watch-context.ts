import type { Run } from '../../schema/run.ts';
import type { FoundBaseline, GateCase } from '../rules/gate-rule.ts';
import type { MarkedCases } from '../read-marks.ts';
import { createReading } from '../reading.ts';
import { keyOfSubject, type Subject } from '../rules/subject.ts';
import type { CaseNumbers } from '../rules/case-numbers.ts';
import type { CaseOrder } from './case-order.ts';
import type { RuleName } from './rule-watch.ts';
import type { TargetNumbers } from './target-numbers.ts';
import type { UnitScope } from './unit-evidence.ts';

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

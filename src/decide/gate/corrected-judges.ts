import { type CertifiedMetric, certifyRun } from '../certificates/certify-run.ts';
import {
  type CorrectedDifference,
  correctDifference,
  type DifferenceSide,
} from '../certificates/corrected-difference.ts';
import { type CorrectedMean, correctMean } from '../certificates/corrected-mean.ts';
import { asClause } from '../certificates/judge-errors.ts';
import { judgesOf, readTargetJudges, type TargetJudges } from '../certificates/target-judges.ts';
import { gatedTargets } from './gated-targets.ts';
import type { Outcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { metricsBehind } from './metrics-behind.ts';
import { createReading } from './reading.ts';
import type { FoundBaseline, GateCase, NoCorrection } from './gate-rule.ts';
import { findBaselineTarget } from './rules/pair-with-baseline.ts';
import type { Subject } from './phrases.ts';

/** The cases that a rule is about. */
export interface CorrectionScope {
  readonly cases: readonly GateCase[];
  /** True when they are a category of the cases, rather than all that count. */
  readonly isPart: boolean;
}

/** The corrections of a run's numbers by the certificates of its judges. */
export interface JudgeCorrections {
  /**
   * Returns the mean of a subject as it would be by the verdicts of people, or the reason why no correction holds; undefined
   * for a subject that rests on no judge whose error rates are known.
   */
  of(
    target: string,
    subject: Subject,
    scope: CorrectionScope,
  ): CorrectedMean | { readonly reason: string } | undefined;
  /** Returns the difference from the baseline in the same way. */
  since(
    target: string,
    subject: Subject,
    scope: CorrectionScope,
  ): CorrectedDifference | NoCorrection | undefined;
}

/** The corrections of a run that rests on no certified judge. */
export const noCorrections: JudgeCorrections = { of: () => undefined, since: () => undefined };

/** The subjects of the rules of a gate with what they are compared with. */
interface CorrectionNeeds {
  readonly certified: readonly CertifiedMetric[];
  readonly subjects: readonly Subject[];
  /** The subjects that are compared with the baseline. */
  readonly compared: readonly Subject[];
  readonly baseline: FoundBaseline;
}

/**
 * Reads what the certificates of judges say of the answers of a run and of its baseline. It reads results only when a subject
 * rests on a judge whose error rates are known. Throws `store-damaged`.
 */
export async function readCorrections(
  run: Run,
  store: Store,
  needs: CorrectionNeeds,
): Promise<JudgeCorrections> {
  const { certified, subjects, compared, baseline } = needs;
  const behindOf = (some: readonly Subject[]) =>
    new Set(some.flatMap((subject) => metricsBehind(subject, run.scorecard)));
  const behind = behindOf(subjects);
  const asked = certified.filter(({ metric }) => behind.has(metric.name));
  if (asked.length === 0) return noCorrections;
  const targets = new Map<string, TargetJudges>();
  for (const { name } of gatedTargets(run))
    targets.set(name, await readTargetJudges(run, store, { target: name, certified: asked }));
  if ([...targets.values()].every(({ judges }) => judges.length === 0)) return noCorrections;
  const isCompared = asked.some(({ metric }) => behindOf(compared).has(metric.name));
  const before =
    isCompared && 'baseline' in baseline ? await readBefore(run, store, baseline.baseline) : undefined;
  return {
    of: (target, subject, scope) => {
      const found = targets.get(target);
      const side = found && sideOf(run, found, { subject, ...scope });
      if (side === undefined || 'reason' in side) return side;
      return correctMean({ ...side, isPart: scope.isPart });
    },
    since: (target, subject, scope) => {
      const found = targets.get(target);
      const now = found && sideOf(run, found, { subject, ...scope });
      if (now === undefined || 'reason' in now) return now;
      return correctSince(now, before?.get(target), { run, subject, isPart: scope.isPart });
    },
  };
}

/** Returns the trials of a target with the judges behind a subject; undefined when none of them is known. */
function sideOf(
  run: Run,
  found: TargetJudges,
  { subject, cases }: CorrectionScope & { readonly subject: Subject },
): DifferenceSide | { readonly reason: string } | undefined {
  const judges = judgesOf(found, new Set(metricsBehind(subject, run.scorecard)));
  if (judges.length === 0) return undefined;
  if ('reason' in found.trials) return found.trials;
  const counted = new Map(cases.map(({ position, hash }) => [position, hash]));
  const reading = createReading(run, subject);
  if ('reason' in reading) return reading;
  return {
    trials: found.trials.filter(({ position }) => counted.has(position)),
    judges,
    caseAt: (position) => counted.get(position),
    read: (outcome: Outcome) => {
      const number = reading.read(outcome);
      return number.status === 'measured' ? number.value : undefined;
    },
  };
}

/** The baseline of a target: its run with its judges and the hashes of its cases. */
interface BeforeTarget {
  readonly run: Run;
  readonly found: TargetJudges;
  readonly cases: readonly GateCase[];
}

/** Reads the judges of a baseline's run, by the targets of the run; undefined when the store does not have it. */
async function readBefore(
  run: Run,
  store: Store,
  baseline: Extract<FoundBaseline, { baseline: unknown }>['baseline'],
): Promise<ReadonlyMap<string, BeforeTarget> | undefined> {
  const earlier = await store.readRun(baseline.run.id);
  if (earlier === undefined) return undefined;
  const certified = await certifyRun({ ...earlier, gate: run.gate }, store);
  const cases: GateCase[] = [];
  for await (const {
    position,
    hash,
    case: { id, category = '', cluster },
  } of store.readCases(earlier.id))
    cases.push({ position, hash, id, category, cluster });
  const found = new Map<string, BeforeTarget>();
  for (const { name } of gatedTargets(run)) {
    const target = findBaselineTarget(baseline, run, name)?.name;
    if (target === undefined) continue;
    const judges = await readTargetJudges(earlier, store, { target, certified });
    found.set(name, { run: earlier, found: judges, cases });
  }
  return found;
}

function correctSince(
  now: DifferenceSide,
  before: BeforeTarget | undefined,
  { run, subject, isPart }: { readonly run: Run; readonly subject: Subject; readonly isPart: boolean },
): CorrectedDifference | NoCorrection | undefined {
  if (before === undefined)
    return {
      reason: 'the run of the baseline is not in this store, so that its numbers cannot be corrected',
    };
  const [unknown] = metricsBehind(subject, run.scorecard).flatMap(
    (name) => before.found.unknown.get(name) ?? [],
  );
  if (unknown !== undefined) {
    // A gate that advises lets the judge decide what no labels are of.
    if (run.gate.judge?.certified === 'advise') return undefined;
    const why = asClause(unknown.why);
    return { reason: `${why}; label about 200 answers of it: \`${unknown.remedy}\``, isUnknown: true };
  }
  if (isPart)
    return {
      reason:
        'the error rates of the judge are known of all categories together, not of these questions alone',
    };
  const earlier = sideOf(before.run, before.found, { subject, cases: before.cases, isPart });
  if (earlier === undefined) return { reason: 'the error rates of the judge on the baseline are not known' };
  return 'reason' in earlier ? earlier : correctDifference(earlier, now);
}

import { certifiedMetrics } from '../../certificates/treats-alike.ts';
import type { RuleDecision } from '../../../core/schema/decision.ts';
import { type Gate, type GateRule, sequentialOf } from '../../../core/schema/gate.ts';
import { appliesTo, gatedTargets } from '../gated-targets.ts';
import type { Outcome } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Store } from '../../../stores/store.ts';
import { findBaseline } from '../baselines.ts';
import { listRules } from '../certified-judges.ts';
import { type MarkedCases, readMarks } from '../read-marks.ts';
import { type CaseOrder, isAboutPopulation, orderSeed, readCaseOrder } from '../watch/case-order.ts';
import type { GateCase } from '../gate-rule.ts';
import { metricsBehind } from '../metrics-behind.ts';
import { subjectOf } from '../phrases.ts';
import { kindOf } from '../rules/rule-kinds.ts';
import { planOpen } from '../watch/plan-mean.ts';
import {
  createTargetNumbers,
  type ErrorRates,
  type PlannedWatch,
  type RuleWatch,
  type RuleStatus,
  type TargetNumbers,
  type WatchContext,
  type WatchPlace,
} from '../watch/rule-watch.ts';

/** A gate that is evaluated after every answer. */
export interface GateWatch {
  /** Records a scored trial. A cancelled one does not count. */
  add(outcome: Outcome): void;
  /**
   * Returns the status: it fails with the first rule that fails and passes when all rules have passed. A decision is
   * final.
   */
  status(): RuleStatus;
  /** Returns the current decision of each rule with its status. */
  rules(): { readonly rule: RuleDecision; readonly status: RuleStatus }[];
  readonly marks: MarkedCases;
  /** Number of rules that can be decided wrongly, counted for each target and category. */
  readonly statistical: number;
}

/** Returns whether a run has cases of different weights: the error of an early decision is known of means that are not weighted. */
function isUneven({ dataset: { caseWeights } }: Pick<Run, 'dataset'>): boolean {
  return caseWeights !== undefined;
}

/** Creates the watch of a run's gate; returns undefined for a gate that needs every question asked. */
export async function createGateWatch(run: Run, store: Store): Promise<GateWatch | undefined> {
  const [options, seed] = [sequentialOf(run.gate), orderSeed(run)];
  if (options === undefined || seed === undefined || isUneven(run)) return undefined;
  const marks = await readMarks(run, store);
  const order = await readCaseOrder(run, store, seed);
  const certified = await findCertified(run, store);
  const common = { run, marks, order, certified, baseline: await findBaseline(run.gate, store) };
  const plans = gatedTargets(run).map(({ name: target }) => {
    const context: WatchContext = { ...common, target, numbers: createTargetNumbers(run) };
    return {
      context,
      planned: rulesOf(run.gate).flatMap(([name, rule]) =>
        appliesTo(rule, target) ? planRule(name, rule, context) : [],
      ),
    };
  });
  const statistical = plans
    .flatMap(({ planned }) => planned)
    .filter(({ kind }) => kind === 'statistical').length;
  const watched = plans.map(({ context, planned }) => {
    const begun = planned.map((plan) => begin(plan, options.error, statistical));
    const watches = begun.map(({ watch }) => watch);
    const target = watchTarget(run, order, { numbers: context.numbers, watches });
    return { name: context.target, target, begun };
  });
  const trialsPerCase = run.targets.length * run.attempts;
  const all = watched.flatMap(({ begun }) => begun);

  return {
    marks,
    statistical,
    add: (outcome) => {
      if (outcome.trial.status === 'cancelled') return;
      const position = Math.floor(outcome.trial.ordinal / trialsPerCase);
      watched.find(({ name }) => name === outcome.trial.target)?.target.add(position, outcome);
    },
    status: () => {
      const least = Math.min(options.leastCases, run.dataset.cases);
      if (watched.some(({ target }) => target.cases() < least)) return 'continue';
      return join(all);
    },
    rules: () =>
      all.map(({ plan, watch }) => ({
        rule: { ...plan.rule, ...watch.finding() },
        status: watch.status(),
      })),
  };
}

/** Finds the names of the judged metrics with certificates, unless the gate ignores judges. */
async function findCertified({ gate, metrics }: Run, store: Store): Promise<ReadonlySet<string>> {
  const judged = metrics.filter(({ judge }) => judge !== undefined);
  if (judged.length === 0 || gate.judge?.certified === 'ignore') return new Set();
  const known = await certifiedMetrics(gate, store);
  return new Set(judged.flatMap(({ name, fingerprint }) => (known.has(fingerprint) ? [name] : [])));
}

function begin(plan: PlannedWatch, error: number, statistical: number) {
  const watch: RuleWatch = plan.begin(shareError(plan, error, Math.max(1, statistical)));
  return { plan, watch };
}

/** Joins the statuses of rules. To pass, at least one rule must be about more than the trials made so far. */
function join(all: readonly ReturnType<typeof begin>[]): RuleStatus {
  const statuses = all.map(({ watch }) => watch.status());
  if (statuses.includes('fail')) return 'fail';
  const isPassed = statuses.every((each) => each === 'pass');
  return isPassed && all.some(({ plan }) => plan.kind !== 'provisional') ? 'pass' : 'continue';
}

/** Returns the rules of a gate, including its least score and the default rule for a baseline. */
function rulesOf(gate: Gate): [string, GateRule][] {
  const { failUnder } = gate;
  const rules = listRules(gate);
  if (failUnder === undefined) return rules;
  return [[`fail under ${failUnder}`, { type: 'score', atLeast: failUnder }], ...rules];
}

/** A target's progress: single trials as they arrive, units only in the random order. */
interface TargetWatch {
  add(position: number, outcome: Outcome): void;
  /** Returns the number of cases answered in order. */
  cases(): number;
}

/**
 * Creates the progress of a target, which advances through the random order as far as it is answered without a gap.
 * The time of an answer may depend on its quality: a bot that is slow where it fails would be judged by its quick
 * answers. Therefore no case counts before all that precede it.
 */
function watchTarget(
  { dataset, attempts }: Run,
  { positions, starts }: CaseOrder,
  { numbers, watches }: { readonly numbers: TargetNumbers; readonly watches: readonly RuleWatch[] },
): TargetWatch {
  const done = new Uint16Array(dataset.cases);
  let unit = 0;
  let place = 0;

  const advanceOrder = () => {
    while (unit + 1 < starts.length) {
      const end = starts[unit + 1] as number;
      while (place < end && (done[positions[place] as number] as number) >= attempts) place += 1;
      if (place < end) return;
      for (const watch of watches) watch.advance(positions.subarray(starts[unit], end));
      unit += 1;
    }
  };

  return {
    add: (position, outcome) => {
      done[position] = (done[position] as number) + 1 + (outcome.notNeeded ?? 0);
      numbers.add(position, outcome);
      for (const watch of watches) watch.add?.(position, outcome);
      advanceOrder();
    },
    cases: () => starts[unit] as number,
  };
}

/**
 * Divides the error of a gate among its rules. The gate passes wrongly only if a rule that is violated passes, so
 * each rule may use the whole error to pass; it fails wrongly with any rule, so that error is divided among them
 * (Bonferroni). Only one of the two can happen, because either all rules are satisfied or not. A rule with a
 * confidence is evaluated once more by its own bound after the last question: half of its error is reserved for that.
 */
function shareError(
  { confidence }: Pick<PlannedWatch, 'confidence'>,
  error: number,
  rules: number,
): ErrorRates {
  const own = confidence === undefined ? error : Math.min(error, 1 - confidence) / 2;
  return { pass: own, fail: own / rules };
}

/** Returns a gate with its rules adjusted for the final look, which uses the reserved part of the error. */
export function withLastLook(gate: Gate, watched: number): Gate {
  const options = sequentialOf(gate);
  if (options === undefined || gate.rules === undefined) return gate;
  const rules = Object.entries(gate.rules).map(([name, rule]) => {
    if (!isAboutPopulation(rule) || !('confidence' in rule)) return [name, rule] as const;
    const { fail } = shareError(rule, options.error, Math.max(1, watched));
    return [name, { ...rule, confidence: 1 - fail }] as const;
  });
  return { ...gate, rules: Object.fromEntries(rules) };
}

/** Plans the watches of a rule: one for the whole rule, or one for each category when the rule asks for that. */
function planRule(name: string, rule: GateRule, context: WatchContext): PlannedWatch[] {
  const { counted } = context.marks;
  const asked = 'category' in rule ? rule.category : undefined;
  const base = { name, type: rule.type, target: context.target };
  const plan = (cases: readonly GateCase[], category?: string) => {
    const place = { ...context, cases, rule: { ...base, ...(category !== undefined && { category }) } };
    return cases.length === 0 ? planOpen(place, 'no question counts') : planKind(rule, place);
  };
  if (asked === undefined) return [plan(counted)];
  const categories = asked === '*' ? [...new Set(counted.map(({ category }) => category))] : [asked];
  return categories.map((category) =>
    plan(
      counted.filter((each) => each.category === category),
      category,
    ),
  );
}

function planKind(rule: GateRule, place: WatchPlace): PlannedWatch {
  const kind = kindOf(rule);
  if (kind === undefined) return planOpen(place, `this version knows no rule of the type ${rule.type}`);
  const judged = metricsBehind(subjectOf(rule), place.run.scorecard).find((name) =>
    place.certified.has(name),
  );
  if (judged !== undefined && kind.reads !== 'coverage')
    return planOpen(
      place,
      `the rate of ${judged} is corrected by the certificate of its judge at the end of the run`,
    );
  return kind.watch(rule, place);
}

import { withoutConditions } from '../../schema/condition.ts';
import type { RuleDecision } from '../../schema/decision.ts';
import { type Gate, type GateRule, noRegressionRuleSchema, sequentialOf } from '../../schema/gate.ts';
import type { Outcome } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { findBaseline } from '../baselines.ts';
import { type MarkedCases, readMarks } from '../read-marks.ts';
import { type CaseOrder, isAboutPopulation, orderSeed, readCaseOrder } from './case-order.ts';
import { planRule } from './plan-rule.ts';
import {
  createTargetNumbers,
  type ErrorRates,
  type PlannedWatch,
  type RuleWatch,
  type Standing,
  type TargetNumbers,
  type WatchContext,
} from './rule-watch.ts';

/** A gate that is looked at whenever an answer comes. */
export interface GateWatch {
  /** Records a scored trial. A cancelled one does not count. */
  add(outcome: Outcome): void;
  /** Fails with the first rule that fails, passes when all have; what was decided stays so. */
  standing(): Standing;
  /** What each rule says so far, with whether it is decided. */
  rules(): { readonly rule: RuleDecision; readonly standing: Standing }[];
  readonly marks: MarkedCases;
  /** Rules that can be decided wrongly, each for each target and category. */
  readonly statistical: number;
}

/** Begins to watch the gate of a run; undefined for one that has everything asked. */
export async function createGateWatch(run: Run, store: Store): Promise<GateWatch | undefined> {
  const [options, seed] = [sequentialOf(run.gate), orderSeed(run)];
  if (options === undefined || seed === undefined) return undefined;
  const marks = await readMarks(run, store);
  const order = await readCaseOrder(run, store, seed);
  const common = { run, marks, order, baseline: await findBaseline(run.gate, store.folder) };
  const plans = withoutConditions(run.targets).map(({ name: target }) => {
    const context: WatchContext = { ...common, target, numbers: createTargetNumbers(run) };
    return { context, planned: rulesOf(run.gate).flatMap(([name, rule]) => planRule(name, rule, context)) };
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
    standing: () => {
      const least = Math.min(options.leastCases, run.dataset.cases);
      if (watched.some(({ target }) => target.cases() < least)) return 'continue';
      return join(all);
    },
    rules: () =>
      all.map(({ plan, watch }) => ({
        rule: { ...plan.rule, ...watch.finding() },
        standing: watch.standing(),
      })),
  };
}

function begin(plan: PlannedWatch, error: number, statistical: number) {
  const watch: RuleWatch = plan.begin(shareError(plan, error, Math.max(1, statistical)));
  return { plan, watch };
}

/** To pass, it takes a rule that is about more than what is asked. */
function join(all: readonly ReturnType<typeof begin>[]): Standing {
  const standings = all.map(({ watch }) => watch.standing());
  if (standings.includes('fail')) return 'fail';
  const isPassed = standings.every((each) => each === 'pass');
  return isPassed && all.some(({ plan }) => plan.kind !== 'provisional') ? 'pass' : 'continue';
}

/** The rules of a gate, its least score and what a baseline asks for among them. */
function rulesOf({ failUnder, rules = {}, baseline }: Gate): [string, GateRule][] {
  const own = Object.entries(rules);
  const least: [string, GateRule][] =
    failUnder === undefined ? [] : [[`fail under ${failUnder}`, { type: 'score', atLeast: failUnder }]];
  if (baseline === undefined || own.some(([, { type }]) => type === 'no-regression'))
    return [...least, ...own];
  return [...least, ...own, ['no regression', noRegressionRuleSchema().parse({ type: 'no-regression' })]];
}

/** What rules are told of a target: trials as they come, units only in the random order. */
interface TargetWatch {
  add(position: number, outcome: Outcome): void;
  /** Cases that were answered in their turn. */
  cases(): number;
}

/**
 * Goes through the random order as far as it is answered without a gap. Which answers come first says something of them:
 * a bot that is slow where it fails would be judged by its quick answers. So none counts before all that precede it.
 */
function watchTarget(
  { dataset, attempts }: Run,
  { positions, starts }: CaseOrder,
  { numbers, watches }: { readonly numbers: TargetNumbers; readonly watches: readonly RuleWatch[] },
): TargetWatch {
  const done = new Uint16Array(dataset.cases);
  let unit = 0;
  let place = 0;

  const goOn = () => {
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
      goOn();
    },
    cases: () => starts[unit] as number,
  };
}

/**
 * Shares the error of a gate among its rules. To pass wrongly, it has to pass the very rule that does not hold, so each rule
 * may be passed with the whole error; to fail wrongly, it takes any of the rules, so that error is divided among them
 * (Bonferroni). Only one of the two can happen, as either all rules hold or not. A rule that asks for a confidence is looked
 * at once more by its own bound after the last question: half of its error is kept for that.
 */
function shareError(
  { confidence }: Pick<PlannedWatch, 'confidence'>,
  error: number,
  rules: number,
): ErrorRates {
  const own = confidence === undefined ? error : Math.min(error, 1 - confidence) / 2;
  return { pass: own, fail: own / rules };
}

/** A gate whose rules are looked at for the last time, with the part of the error that was kept for it. */
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

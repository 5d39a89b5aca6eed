import type { Decision, RuleDecision } from '../schema/decision.ts';
import type { Gate } from '../schema/gate.ts';
import { type GateRule, noRegressionRuleSchema } from '../schema/gate-rule.ts';
import type { Run } from '../schema/run.ts';
import type { TargetSummary } from '../schema/summary.ts';
import type { Store } from '../stores/store.ts';
import { withSoundTotals } from '../analysis/summary/check-totals.ts';
import { decide } from './decide.ts';
import { decideRule } from './decide-rule.ts';
import { withUnread } from './unread-expectations.ts';
import { decideSequentially } from './sequential/decide-sequentially.ts';
import { findBaseline } from './find-baseline.ts';
import { joinDecisions, withExempt } from './join-decisions.ts';
import { readEvidence } from './read-evidence.ts';
import { readMarks } from './read-marks.ts';

/**
 * The decision of the gate of a run, from what is kept of it.
 * @param targets - The numbers of the targets that the gate is about: those under no condition.
 */
export async function decideRun(
  run: Run,
  store: Store,
  targets: readonly TargetSummary[],
): Promise<Decision> {
  return withUnread(await decideMeasured(run, store, targets), run);
}

async function decideMeasured(run: Run, store: Store, targets: readonly TargetSummary[]): Promise<Decision> {
  const finding = await decideSequentially(run, store, targets);
  if (finding?.decision !== undefined) return withSoundTotals(finding.decision, targets);
  const decision = await decideByRules(finding?.run ?? run, {
    store,
    targets,
    settled: finding?.settled ?? [],
  });
  const told = finding === undefined ? decision : { ...decision, sequential: finding.sequential };
  return withSoundTotals(withStops(told, run), targets);
}

interface RuleNeeds {
  readonly store: Store;
  readonly targets: readonly TargetSummary[];
  /** What single rules decided while the run went on. */
  readonly settled: readonly RuleDecision[];
}

function isSameRule(one: RuleDecision, other: RuleDecision): boolean {
  return one.name === other.name && one.target === other.target && one.category === other.category;
}

/** Reads a run once more only where something depends on single cases: most gates ask for nothing. */
async function decideByRules(run: Run, { store, targets, settled }: RuleNeeds): Promise<Decision> {
  const rules = rulesOf(run.gate);
  const isWhole = targets.every(({ coverage }) => coverage === 1);
  if (rules.length === 0 && run.gate.failUnder === undefined && isWhole) return decide(targets, run.gate);
  const marks = await readMarks(run, store);
  const isNarrowed = marks.counted.length < marks.planned.size;
  if (rules.length === 0 && !isNarrowed) return withExempt(decide(targets, run.gate), marks.exempt);
  const needs = {
    rules: rules.map(([, rule]) => rule),
    marks,
    baseline: await findBaseline(run.gate, store.folder),
    summaries: targets,
  };
  const evidence = await readEvidence(run, store, needs);
  const base = decide(
    evidence.map(({ summary }) => summary),
    run.gate,
  );
  const decisions = rules
    .flatMap(([name, rule]) => evidence.flatMap((each) => decideRule(name, rule, each)))
    .map((found) => settled.find((rule) => isSameRule(rule, found)) ?? found);
  return withExempt(joinDecisions(base, decisions, run.gate), marks.exempt);
}

/** The rules of a gate; one that names a baseline holds the run against it, whether a rule says how or not. */
function rulesOf({ rules = {}, baseline }: Gate): [string, GateRule][] {
  const own = Object.entries(rules);
  if (baseline === undefined || own.some(([, { type }]) => type === 'no-regression')) return own;
  return [...own, ['no regression', noRegressionRuleSchema().parse({ type: 'no-regression' })]];
}

/** What a run was stopped before is not measured, however little of it a gate could do without. */
function withStops(decision: Decision, { stops = [] }: Run): Decision {
  if (stops.length === 0) return decision;
  const messages = stops.map(({ message }) => message);
  if (decision.outcome === 'fail') return { ...decision, reasons: [...decision.reasons, ...messages] };
  return { ...decision, outcome: 'not-measured', reasons: [...messages, ...decision.reasons] };
}

import { type CertifiedMetric, certifyRun } from '../certificates/certify-run.ts';
import { asClause, errorsOf } from '../certificates/judge-errors.ts';
import type { Decision, RuleDecision, UncertifiedJudge } from '../../core/schema/decision.ts';
import { type Gate, type GateRule, noRegressionRuleSchema } from '../../core/schema/gate.ts';
import { gatedTargets } from './gated-targets.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { type Subject, subjectOf } from './phrases.ts';
import { metricsBehind } from './metrics-behind.ts';

/** The name under which reports list the threshold of a gate. */
const thresholdName = 'failUnder';

/** The judges on which a gate rests without a valid certificate. */
export interface UncertifiedJudges {
  readonly all: readonly UncertifiedJudge[];
  /** The judged metrics with their certificates; empty when no rule rests on one, or judges are ignored. */
  readonly certified: readonly CertifiedMetric[];
  /** Returns the reason why a rule is not measured for a target; undefined when it may decide. */
  reasonAgainst(rule: Pick<RuleDecision, 'name'> & Partial<Pick<RuleDecision, 'target'>>): string | undefined;
}

/**
 * Finds the judged metrics without a valid certificate on which rules of a gate rest, and those whose certificates say nothing of
 * this version of a target. Reads certificates only when a rule rests on a judged metric. Throws `store-damaged`.
 */
export async function findUncertified(run: Run, store: Store): Promise<UncertifiedJudges> {
  const { judge: demand } = run.gate;
  const rules = demand?.certified === 'ignore' ? new Map<string, string[]>() : findJudgedRules(run);
  const certified = rules.size === 0 ? [] : await certifyRun(run, store);
  const missing = certified.flatMap((each): MissingCertificate[] => {
    const { metric, certification } = each;
    const named = rules.get(metric.name) ?? [];
    if (named.length === 0) return [];
    const unknown = unknownTargets(each, run);
    if (unknown.length === 0) return [];
    const isRequired = (demand?.certified ?? usualDemand(certification)) === 'require';
    const about = { metric: metric.name, judge: metric.judge.name, isRequired, rules: named };
    const message =
      certification.status === 'valid' ? unknown.map(({ message: own }) => own).join('; ') : describe(each);
    return [
      {
        judge: { ...about, message },
        targets: new Set(unknown.map(({ target }) => target)),
        isOfVersion: certification.status === 'valid',
      },
    ];
  });
  const required = missing.filter(({ judge }) => judge.isRequired);
  return {
    all: missing.map(({ judge }) => judge),
    certified: demand?.certified === 'ignore' ? [] : certified,
    reasonAgainst: ({ name: rule, target }) => {
      const name = rule === `fail under ${run.gate.failUnder}` ? thresholdName : rule;
      const against = required.filter(
        ({ judge, targets }) => judge.rules.includes(name) && (target === undefined || targets.has(target)),
      );
      if (against.length === 0) return undefined;
      const who = against.map(
        ({ judge: { judge, metric } }) => `the judge ${judge} of the metric "${metric}"`,
      );
      return against.every(({ isOfVersion }) => isOfVersion)
        ? `the error rates of ${who.join(' and ')} are not known for this version of the target`
        : `${who.join(' and ')} has no valid certificate`;
    },
  };
}

/** A judge without a valid certificate for some targets of the run. */
interface MissingCertificate {
  readonly judge: UncertifiedJudge;
  readonly targets: ReadonlySet<string>;
  /** True when a certificate holds, but its labels are of other versions of the target. */
  readonly isOfVersion: boolean;
}

/** Returns the targets for which the error rates of a judge are not known, each with what to do. */
function unknownTargets(
  certified: CertifiedMetric,
  run: Run,
): { readonly target: string; readonly message: string }[] {
  const { metric, certification } = certified;
  return gatedTargets(run).flatMap(({ name: target }) => {
    if (certification.status !== 'valid') return [{ target, message: '' }];
    const errors = errorsOf(certified, run, target);
    if (errors?.status === 'known') return [];
    const who = `the judge ${metric.judge.name} of the metric "${metric.name}"`;
    const why = errors === undefined ? 'it has no certificate' : asClause(errors.why);
    const remedy = errors?.remedy ?? certification.remedy ?? '';
    const message = `the error rates of ${who} are not known for ${target}: ${why}; label about 200 answers of it and certify the judge for it: \`${remedy}\``;
    return [{ target, message }];
  });
}

/** The demand of a gate that makes none: a metric that was certified once is to stay certified. */
function usualDemand({ status }: CertifiedMetric['certification']): 'require' | 'advise' {
  return status === 'none' ? 'advise' : 'require';
}

function describe({ metric, certification }: Pick<CertifiedMetric, 'metric' | 'certification'>): string {
  const { status, ends, unreadable, remedy = '' } = certification;
  const who = `the judge ${metric.judge.name} of the metric "${metric.name}"`;
  const why =
    status === 'none'
      ? `${who} has no certificate${unreadable.length === 0 ? '' : ` (${unreadable.join('; ')})`}`
      : `${who} has no valid certificate: ${ends.map(({ message }) => message).join('; ')}`;
  return `${why}; label answers and certify it: \`${remedy}\``;
}

/** Returns the names of the rules that rest on each judged metric. */
function findJudgedRules(run: Run): Map<string, string[]> {
  const judged = new Set(run.metrics.flatMap(({ name, judge }) => (judge === undefined ? [] : [name])));
  const rules = new Map<string, string[]>();
  const note = (rule: string, subject: Subject | undefined) => {
    for (const metric of metricsBehind(subject, run.scorecard))
      if (judged.has(metric)) rules.set(metric, [...(rules.get(metric) ?? []), rule]);
  };
  if (run.gate.failUnder !== undefined) note(thresholdName, { measure: 'score' });
  for (const [name, rule] of listRules(run.gate)) {
    // How much was measured does not depend on whether the judge is right.
    if (rule.type !== 'coverage') note(name, subjectOf(rule));
  }
  return rules;
}

/**
 * Returns the rules of a gate, with the default no-regression rule when it names a baseline and has no such rule of
 * its own.
 */
export function listRules({ rules = {}, baseline }: Gate): [string, GateRule][] {
  const own = Object.entries(rules);
  if (baseline === undefined || own.some(([, { type }]) => type === 'no-regression')) return own;
  return [...own, ['no regression', noRegressionRuleSchema().parse({ type: 'no-regression' })]];
}

/** Returns a rule that rests on a judge who may not decide it as not measured, and any other unchanged. */
export function withoutUncertified(rule: RuleDecision, judges: UncertifiedJudges): RuleDecision {
  const reason = judges.reasonAgainst(rule);
  return reason === undefined ? rule : { ...rule, outcome: 'not-measured', reason };
}

/** Returns the decision by the threshold as not measured when the score rests on an uncertified judge. */
export function withoutUncertifiedScore(decision: Decision, judges: UncertifiedJudges): Decision {
  return judges.reasonAgainst({ name: thresholdName }) === undefined
    ? decision
    : { ...decision, outcome: 'not-measured' };
}

/**
 * Returns the decision of a gate that ended its run early without the rules that rest on an uncertified judge: it fails by
 * another rule alone, and otherwise is not measured.
 */
export function withoutUncertifiedRules(decision: Decision, judges: UncertifiedJudges): Decision {
  const before = decision.rules ?? [];
  const rules = before.map((rule) => withoutUncertified(rule, judges));
  if (rules.every((rule, place) => rule === before[place])) return decision;
  const isFailed = rules.some(({ outcome }) => outcome === 'fail');
  return { ...decision, outcome: isFailed ? 'fail' : 'not-measured', rules };
}

/** Adds the judges without a valid certificate to a decision, and why rules that rest on them are not measured. */
export function withUncertified(decision: Decision, { all }: UncertifiedJudges): Decision {
  if (all.length === 0) return decision;
  const messages = all.flatMap(({ isRequired, message }) => (isRequired ? [message] : []));
  const { reasons } = decision;
  const isDecisive = decision.outcome === 'not-measured';
  return {
    ...decision,
    reasons: isDecisive ? [...messages, ...reasons] : [...reasons, ...messages],
    uncertified: [...all],
  };
}

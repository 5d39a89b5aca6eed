import { createWeightCounter } from '../analysis/case-weights.ts';
import { weightAttempts } from '../analysis/attempts.ts';
import { countCategories } from '../analysis/summary/categories.ts';
import { withSoundTotals } from '../analysis/summary/check-totals.ts';
import { readSingleAnswers } from '../analysis/hash-answer.ts';
import { createTargetTally } from '../analysis/summary/tally-target.ts';
import type { Decision, RuleDecision } from '../../core/schema/decision.ts';
import type { Gate, GateRule } from '../../core/schema/gate.ts';
import type { Outcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { TargetSummary } from '../../core/schema/summary.ts';
import type { Store } from '../../stores/store.ts';
import { findBaseline } from './baselines.ts';
import {
  findUncertified,
  listRules,
  type UncertifiedJudges,
  withoutUncertified,
  withoutUncertifiedRules,
  withoutUncertifiedScore,
  withUncertified,
} from './certified-judges.ts';
import { type JudgeCorrections, noCorrections, readCorrections } from './corrected-judges.ts';
import { decideCorrected } from './corrected-threshold.ts';
import { decide, hasGate } from './decide.ts';
import { appliesTo, findUnasked, gatedTargets, stopsOfGate } from './gated-targets.ts';
import { joinDecisions, withExempt } from './join-decisions.ts';
import { type MarkedCases, readMarks } from './read-marks.ts';
import { createReading } from './reading.ts';
import { createCaseNumbers } from './case-numbers.ts';
import {
  type Finding,
  type FoundBaseline,
  type GateCase,
  type GateEvidence,
  notMeasured,
} from './gate-rule.ts';
import { keyOfSubject, formatConfidence, type Subject, subjectOf } from './phrases.ts';
import { isOnThese } from './rules/on-these-questions.ts';
import { kindOf } from './rules/rule-kinds.ts';
import { orderSeed } from './watch/case-order.ts';
import { decideSequentially } from './sequential/decide-sequentially.ts';
import { withUnread } from './unread-expectations.ts';

/**
 * Decides the gate of a stored run.
 * @param targets - The summaries of the targets that the gate is about: those without a condition.
 */
export async function decideRun(
  run: Run,
  store: Store,
  targets: readonly TargetSummary[],
): Promise<Decision> {
  if (run.failedOf !== undefined && hasGate(run.gate)) return decideNothing(run.failedOf);
  const unasked = findUnasked(run);
  if (unasked !== undefined) return unasked;
  const judges = await findUncertified(run, store);
  const decision = await decideMeasured(run, store, { targets, judges });
  return withUnread(withUncertified(decision, judges), run);
}

/** Decides that a gate is not measured by a run that asks only what failed in another. */
function decideNothing(failedOf: string): Decision {
  return {
    outcome: 'not-measured',
    reasons: [
      `only what failed in run ${failedOf} was asked again, and the gate is about the whole set: run it without \`--failed\``,
    ],
  };
}

async function decideMeasured(
  run: Run,
  store: Store,
  { targets, judges }: Pick<RuleNeeds, 'targets' | 'judges'>,
): Promise<Decision> {
  const finding = await decideSequentially(run, store, targets);
  if (finding?.decision !== undefined)
    return withSoundTotals(withoutUncertifiedRules(finding.decision, judges), targets);
  const decision = await decideByRules(finding?.run ?? run, {
    store,
    targets,
    judges,
    settled: finding?.settled ?? [],
  });
  const whole = finding === undefined ? decision : { ...decision, sequential: finding.sequential };
  return withSoundTotals(withStops(whole, run), targets);
}

interface RuleNeeds {
  readonly store: Store;
  readonly targets: readonly TargetSummary[];
  readonly judges: UncertifiedJudges;
  /** Decisions that single rules reached while the run was in progress. */
  readonly settled: readonly RuleDecision[];
}

function isSameRule(one: RuleDecision, other: RuleDecision): boolean {
  return one.name === other.name && one.target === other.target && one.category === other.category;
}

/**
 * Decides by rules. The outcomes of the run are read again only when a rule depends on single cases, which few gates
 * have.
 */
async function decideByRules(run: Run, { store, targets, judges, settled }: RuleNeeds): Promise<Decision> {
  const byThreshold = (of: readonly TargetSummary[]) => withoutUncertifiedScore(decide(of, run.gate), judges);
  const rules = listRules(run.gate);
  const isWhole = targets.every(({ coverage }) => coverage === 1);
  if (rules.length === 0 && run.gate.failUnder === undefined && isWhole) return byThreshold(targets);
  const marks = await readMarks(run, store);
  const isNarrowed = marks.counted.length < marks.planned.size;
  const baseline = await findBaseline(run.gate, store);
  const corrections = await readCorrections(run, store, {
    certified: judges.certified,
    ...subjectsOf(run.gate),
    baseline,
  });
  const isCorrected = corrections !== noCorrections && run.gate.failUnder !== undefined;
  if (rules.length === 0 && !isNarrowed && !isCorrected)
    return withExempt(byThreshold(targets), marks.exempt);
  const needs = {
    corrections,
    rules: rules.map(([, rule]) => rule),
    marks,
    baseline,
    summaries: targets,
  };
  const evidence = await readEvidence(run, store, needs);
  const base = withoutUncertifiedScore(decideCorrected(evidence, run.gate), judges);
  const decisions = rules
    .flatMap(([name, rule]) => evidence.flatMap((each) => decideRule(name, rule, each)))
    .map((found) => settled.find((rule) => isSameRule(rule, found)) ?? found)
    .map((rule) => withoutUncertified(rule, judges));
  return withExempt(joinDecisions(base, decisions, run.gate), marks.exempt);
}

/**
 * Adds the reasons why a run was stopped early: unless the gate fails, a stopped run is not measured, even when the
 * gate could decide without the missing trials.
 */
function withStops(decision: Decision, run: Run): Decision {
  const stops = stopsOfGate(run);
  if (stops.length === 0) return decision;
  const messages = stops.map(({ message }) => message);
  if (decision.outcome === 'fail') return { ...decision, reasons: [...decision.reasons, ...messages] };
  return { ...decision, outcome: 'not-measured', reasons: [...messages, ...decision.reasons] };
}

/** Returns the subjects that a gate is about: subjects with a mean, and subjects that are compared with the baseline. */
function subjectsOf(gate: Gate): { readonly subjects: Subject[]; readonly compared: Subject[] } {
  const threshold: Subject[] = gate.failUnder === undefined ? [] : [{ measure: 'score' }];
  const of = (rules: readonly GateRule[]) => rules.map(subjectOf).filter((subject) => subject !== undefined);
  const rules = listRules(gate).flatMap(([, rule]) => (kindOf(rule)?.reads === 'coverage' ? [] : [rule]));
  const compared = rules.filter((rule) => kindOf(rule)?.reads === 'differences');
  return { subjects: [...threshold, ...of(rules)], compared: of(compared) };
}

/** Decides a rule for a target: once, or for each category separately when the rule asks for that. */
function decideRule(name: string, rule: GateRule, evidence: GateEvidence): RuleDecision[] {
  if (!appliesTo(rule, evidence.target)) return [];
  const asked = 'category' in rule ? rule.category : undefined;
  const base = { name, type: rule.type, target: evidence.target };
  if (asked === undefined) return [{ ...base, ...find(rule, evidence) }];
  const categories = asked === '*' ? [...new Set(evidence.cases.map(({ category }) => category))] : [asked];
  return categories.map((category) => {
    const cases = evidence.cases.filter((each) => each.category === category);
    const found =
      cases.length === 0
        ? notMeasured(`no question that counts is in the category ${category}`)
        : findTogether(rule, { ...evidence, cases, category }, categories.length);
    return { ...base, category, ...found };
  });
}

/**
 * Decides a rule for one of several categories. The gate passes wrongly only when a category that is not good enough
 * passes, so each category may pass at the confidence of the rule; it fails wrongly with any of them, so the
 * probability of that is divided among them (Bonferroni). A sequential gate has divided it already.
 */
function findTogether(rule: GateRule, evidence: GateEvidence, categories: number): Finding {
  const found = find(rule, evidence);
  if (categories < 2 || found.outcome !== 'fail') return found;
  const confidence = 'confidence' in rule ? rule.confidence : undefined;
  if (confidence === undefined) {
    const chance = `by the mean alone, which any of ${categories} categories can miss by chance`;
    return { ...found, reason: `${found.reason} (${chance}; set \`confidence\` to allow for that)` };
  }
  if (orderSeed(evidence.run) !== undefined) return found;
  const corrected = find({ ...rule, confidence: 1 - (1 - confidence) / categories } as GateRule, evidence);
  const together = `${formatConfidence(confidence)} for ${categories} categories together`;
  const reason =
    corrected.outcome === 'fail'
      ? `${corrected.reason}, which makes ${together}`
      : `${corrected.reason} (taken alone it would have failed; the bounds are those that make ${together})`;
  return { ...corrected, reason };
}

function find(rule: GateRule, evidence: GateEvidence): Finding {
  return (
    kindOf(rule)?.decide(rule, evidence) ?? notMeasured(`this version knows no rule of the type ${rule.type}`)
  );
}

/** The inputs of the evidence apart from the outcomes of the run. */
interface EvidenceNeeds {
  readonly rules: readonly GateRule[];
  readonly marks: MarkedCases;
  readonly baseline: FoundBaseline;
  readonly corrections: JudgeCorrections;
  /** The summaries of the gate's targets over all cases. */
  readonly summaries: readonly TargetSummary[];
}

/** Reads the evidence for all rules in one pass: the numbers of every trial that some rule needs. */
async function readEvidence(run: Run, store: Store, needs: EvidenceNeeds): Promise<GateEvidence[]> {
  const names = gatedTargets(run).map(({ name }) => name);
  const answers =
    needs.rules.some(isOnThese) && run.attempts === 1 ? await readSingleAnswers(run, store) : undefined;
  const collectors = new Map(
    names.map((name) => [name, createCollector(run, name, { ...needs, answers: answers?.get(name) })]),
  );
  const outcomes = weightAttempts(run, store.readOutcomes(run.id));
  for await (const some of outcomes) {
    const byTarget = Map.groupBy(some, ({ trial }) => trial.target);
    for (const [target, ofTarget] of byTarget) collectors.get(target)?.add(ofTarget);
  }
  return needs.summaries.flatMap((whole) => collectors.get(whole.target)?.evidence(whole) ?? []);
}

function createCollector(
  run: Run,
  target: string,
  { rules, marks, baseline, corrections, answers }: EvidenceNeeds & Pick<GateEvidence, 'answers'>,
) {
  const counted = new Set(marks.counted.map(({ position }) => position));
  const isNarrowed = counted.size < marks.planned.size;
  const narrowed = { ...run, dataset: narrow(run.dataset, marks.counted) };
  const tally = isNarrowed ? createTargetTally(narrowed, target, countCategories(marks.counted)) : undefined;
  const numbers = createNumbers(run, rules);
  const hasLatency = rules.some((rule) => kindOf(rule)?.reads === 'times');
  const latencies: number[] = [];
  const trialsPerCase = run.targets.length * run.attempts;

  const isPart = (cases: readonly GateCase[], category: string | undefined) =>
    category !== undefined && cases.length < marks.counted.length;
  const positionOf = ({ trial }: Outcome): number => Math.floor(trial.ordinal / trialsPerCase);
  const addNumbers = (outcome: Outcome): void => {
    for (const each of numbers.values()) if ('add' in each) each.add(positionOf(outcome), outcome);
    const { status, latency } = outcome.trial;
    // The time of a failed call is not the time of an answer.
    if (hasLatency && status === 'completed' && latency !== undefined) latencies.push(latency.totalMs);
  };

  return {
    add: (outcomes: readonly Outcome[]): void => {
      const some = outcomes.filter((outcome) => counted.has(positionOf(outcome)));
      tally?.add(some);
      for (const outcome of some) addNumbers(outcome);
    },
    evidence: (whole: TargetSummary): GateEvidence => ({
      run,
      target,
      summary: tally?.summarize() ?? whole,
      whole,
      cases: marks.counted,
      planned: marks.planned,
      latencies,
      baseline,
      answers,
      correctionOf: (subject, { cases, category }) =>
        corrections.of(target, subject, { cases, isPart: isPart(cases, category) }),
      correctedSince: (subject, { cases, category }) =>
        corrections.since(target, subject, { cases, isPart: isPart(cases, category) }),
      numbersOf: (subject) => numbers.get(keyOfSubject(subject)) ?? { reason: 'nothing was read' },
    }),
  };
}

/** Returns the record of a dataset without the cases that do not count. */
function narrow(
  { caseWeights: _all, ...dataset }: Run['dataset'],
  counted: readonly GateCase[],
): Run['dataset'] {
  const weights = createWeightCounter();
  for (const { id, weight } of counted) weights.add({ id, weight });
  return { ...dataset, cases: counted.length, ...weights.finish() };
}

function createNumbers(run: Run, rules: readonly GateRule[]) {
  const subjects = rules.map(subjectOf).filter((subject) => subject !== undefined);
  return new Map(
    subjects.map((subject) => {
      const reading = createReading(run, subject);
      const numbers =
        'reason' in reading ? reading : createCaseNumbers(reading, run.dataset.cases, run.attempts);
      return [keyOfSubject(subject), numbers];
    }),
  );
}

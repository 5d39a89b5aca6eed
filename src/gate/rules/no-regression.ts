import type { Baseline } from '../../schema/baseline.ts';
import type { CaseNumbers } from './case-numbers.ts';
import { findIncomparable } from './comparable.ts';
import type { MarginLevel } from './compare-values.ts';
import { type Finding, type GateEvidence, type GateRuleKind, notMeasured } from './gate-rule.ts';
import { holdWithGaps } from './hold-with-gaps.ts';
import { judgeDifference } from './judge-difference.ts';
import { findBaselineTarget, pairWithBaseline } from './pair-with-baseline.ts';
import { sayNames, sayPlural } from './say-number.ts';
import { type Subject, subjectOf } from './subject.ts';
import { planGaps, suppose } from './suppose-pairs.ts';

/**
 * The run is shown not to be worse than its baseline by more than a margin, on the cases that both have. A case of the
 * baseline that the run lacks, another judge or another rule leave it open: such runs cannot be compared.
 */
export const noRegressionRule: GateRuleKind<'no-regression'> = {
  type: 'no-regression',
  decide: (rule, evidence) => {
    const { baseline: found, run } = evidence;
    if ('reason' in found) return notMeasured(found.reason);
    const { baseline } = found;
    const subject = subjectOf(rule) ?? { measure: 'score' };
    const numbers = evidence.numbersOf(subject);
    if ('reason' in numbers) return notMeasured(numbers.reason);
    const difference = findIncomparable(baseline, run, subject);
    if (difference !== undefined)
      return notMeasured(`${difference} than in ${baseline.name}: ${remedy(baseline)}`);
    const unit = numbers.unit();
    const isLowerBetter = unit !== undefined && ['ms', 'USD', 'tokens'].includes(unit);
    if (unit !== undefined && !isLowerBetter) {
      return notMeasured(`of ${unit} neither more nor fewer is better, so there is no regression`);
    }
    const margin = unit === undefined ? rule.margin / 100 : rule.margin;
    const level = { margin, confidence: rule.confidence };
    return comparePairs(evidence, { baseline, subject, numbers, level, isLowerBetter });
  },
};

interface Question {
  readonly baseline: Baseline;
  readonly subject: Subject;
  readonly numbers: CaseNumbers;
  readonly level: MarginLevel;
  readonly isLowerBetter: boolean;
}

function comparePairs(evidence: GateEvidence, question: Question): Finding {
  const { baseline, subject, numbers, level, isLowerBetter } = question;
  const target = findBaselineTarget(baseline, evidence.run, evidence.target);
  if (target === undefined) return notMeasured(`${baseline.name} has no target ${evidence.target}`);
  const { pairs, lost, added } = pairWithBaseline(target, subject, evidence);
  if (lost.length > 0) {
    const what = `${sayPlural(lost.length, 'case')} of ${baseline.name}`;
    return notMeasured(
      `${what} ${lost.length === 1 ? 'is' : 'are'} not in this run, or changed since: ${sayNames(lost)}`,
      { arithmetic: `${pairs.length} of ${target.cases.length} cases of the baseline are paired` },
    );
  }
  const numbered = pairs.flatMap((pair) => {
    const number = numbers.at(pair.each.position);
    return number === undefined ? [] : [{ ...pair, number }];
  });
  if (numbered.length === 0) return notMeasured(`no case is both in this run and in ${baseline.name}`);
  const finding = holdWithGaps(planGaps(numbered), evidence.run.gate.minCoverage, (supposition) =>
    judgeDifference(suppose(numbered, supposition, { isLowerBetter, unit: numbers.unit() }), {
      ...level,
      subject,
      unit: numbers.unit(),
      name: baseline.name,
    }),
  );
  if (added === 0) return finding;
  return { ...finding, arithmetic: `${finding.arithmetic}; ${sayPlural(added, 'case')} not in the baseline` };
}

function remedy({ name, run }: Baseline): string {
  return `score its answers by the rules of now, \`touchstone rescore ${run.id}\`, then \`touchstone baseline set ${name} latest\``;
}

import type { ScorecardResult } from '../../schema/scorecard-result.ts';
import type { Verdict } from '../../schema/verdict.ts';
import { describeCriteria } from './describe-criteria.ts';
import { describeOutcome } from './describe-outcome.ts';
import { findOutcomes, passesWith } from './find-outcome.ts';
import type { OutcomeRules } from './outcome-rules.ts';
import { type BinaryCriterion, readMarks } from './read-marks.ts';
import { scoreRange } from './score-range.ts';
import { toSentence } from './sentence.ts';

/** The result of a trial: score, outcome and an explanation in whole sentences. */
export function evaluateMarks(
  criteria: readonly BinaryCriterion[],
  outcomes: OutcomeRules,
  verdicts: ReadonlyMap<string, Verdict>,
): ScorecardResult {
  const marks = readMarks(criteria, verdicts);
  const score = scoreRange(marks);
  if (score === undefined) return nothingApplies();
  const possible = findOutcomes(marks, score, outcomes);
  const { total, lower, upper, scale } = score;
  const clauses = [...describeCriteria(marks, scale), describeOutcome({ marks, score, outcomes, possible })];
  return {
    total,
    lower,
    upper,
    grade: null,
    outcome: possible.best === possible.worst ? (outcomes.rules[possible.best]?.outcome ?? null) : null,
    passed: passesWith(possible, outcomes),
    explanation: clauses.map(toSentence).join(' '),
  };
}

function nothingApplies(): ScorecardResult {
  return {
    total: null,
    lower: 0,
    upper: 1,
    grade: null,
    outcome: null,
    passed: null,
    explanation: 'No criterion applies.',
  };
}

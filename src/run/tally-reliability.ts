import type { Reliability, ReliabilityGroup } from '../schema/reliability.ts';
import type { Outcome } from '../schema/result.ts';
import { createMeanAccumulator } from '../stats/mean-interval.ts';
import { passAtK, passHatK } from '../stats/pass-at-k.ts';
import { confidence, toBoundedEstimate } from './to-estimate.ts';

const mostIds = 50;
const mostLevels = 10;

/** The attempts of one case. */
interface Attempts {
  readonly caseId: string;
  passed: number;
  measured: number;
}

/**
 * Counts which cases pass on every attempt, on some or on none. The outcomes of a case come one after the other.
 * @param attempts - Planned for each case, at least 2.
 * @param cases - Planned.
 */
export function createReliabilityTally(attempts: number, cases: number) {
  const groups = new Map<string, ReliabilityGroup>();
  let current: Attempts | undefined;
  let unmeasured = 0;
  let seen = 0;

  const flush = () => {
    if (current === undefined) return;
    const { caseId, passed, measured } = current;
    seen += 1;
    current = undefined;
    if (measured === 0) {
      unmeasured += 1;
      return;
    }
    const group = groups.get(`${passed}/${measured}`) ?? { passed, measured, cases: 0, ids: [] };
    const ids = group.ids.length < mostIds ? [...group.ids, caseId] : group.ids;
    groups.set(`${passed}/${measured}`, { ...group, cases: group.cases + 1, ids });
  };

  return {
    add: ({ trial, scorecard }: Outcome): void => {
      if (trial.caseId !== current?.caseId) flush();
      current ??= { caseId: trial.caseId, passed: 0, measured: 0 };
      if (trial.status !== 'completed' || scorecard === null) return;
      if (scorecard.total === null || scorecard.passed === null) return;
      current.measured += 1;
      current.passed += Number(scorecard.passed);
    },
    /** To be asked for once, after the last outcome. */
    summarize: (): Reliability => {
      flush();
      const sorted = [...groups.values()].toSorted(byReliability);
      const levels = levelsUpTo(attempts).map((k) => ({
        k,
        any: meanOverCases(sorted, (counts) => passAtK({ counts, k }).estimate),
        all: meanOverCases(sorted, (counts) => passHatK({ counts, k }).estimate),
      }));
      return { attempts, levels, groups: sorted, unmeasured: unmeasured + Math.max(0, cases - seen) };
    },
  };
}

/** Every k where there are few; else powers of two and the last. */
function levelsUpTo(attempts: number): number[] {
  if (attempts <= mostLevels) return Array.from({ length: attempts }, (_, index) => index + 1);
  const powers = Array.from({ length: Math.ceil(Math.log2(attempts)) }, (_, power) => 2 ** power);
  return [...powers, attempts];
}

/** The mean over cases of what each case shows by itself; cases that cannot show it are left out. */
function meanOverCases(
  groups: readonly ReliabilityGroup[],
  ofCase: (counts: [{ readonly n: number; readonly c: number }]) => number | null,
) {
  const means = createMeanAccumulator();
  for (const { passed, measured, cases } of groups) {
    const value = ofCase([{ n: measured, c: passed }]);
    for (let index = 0; index < cases && value !== null; index += 1) means.add(value);
  }
  return toBoundedEstimate(means.interval({ confidence }));
}

function byReliability(one: ReliabilityGroup, other: ReliabilityGroup): number {
  return other.passed / other.measured - one.passed / one.measured || other.measured - one.measured;
}

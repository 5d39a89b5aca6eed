import type { Reliability } from '../../schema/reliability.ts';
import { createClusteredMoments } from '../../stats/means/clustered-moments.ts';
import { passAtK, type PassEstimate, passHatK } from '../../stats/pass-at-k.ts';
import type { AttemptCounts } from '../../stats/repeats/attempt-counts.ts';
import { curtailedPassAtK, curtailedPassHatK } from '../../stats/repeats/curtailed-pass-at-k.ts';
import type { AttemptRule } from '../../stats/repeats/settle-attempts.ts';
import { estimateShare } from './to-estimate.ts';

const mostLevels = 10;

/**
 * pass@k and pass^k for every k: means over cases of what each shows by itself; those that cannot show it are left out.
 * @param rule - By which attempts stopped; undefined where they did not.
 */
export function createLevelsTally(attempts: number, rule: AttemptRule | undefined) {
  const levels = levelsUpTo(attempts).map((k) => createLevel(k, rule));
  return {
    add: (counts: AttemptCounts, cluster: number | undefined): void => {
      for (const level of levels) level.add(counts, cluster);
    },
    summarize: (): Reliability['levels'] => levels.map((level) => level.summarize()),
  };
}

/** Every k where there are few; else powers of two and the last. */
function levelsUpTo(attempts: number): number[] {
  if (attempts <= mostLevels) return Array.from({ length: attempts }, (_, index) => index + 1);
  const powers = Array.from({ length: Math.ceil(Math.log2(attempts)) }, (_, power) => 2 ** power);
  return [...powers, attempts];
}

function createLevel(k: number, rule: AttemptRule | undefined) {
  const any = createMeanOfCases((counts) =>
    rule === undefined
      ? passAtK({ counts: [counts], k })
      : curtailedPassAtK({ ...rule, counts: [counts], k }),
  );
  const all = createMeanOfCases((counts) =>
    rule === undefined
      ? passHatK({ counts: [counts], k })
      : curtailedPassHatK({ ...rule, counts: [counts], k }),
  );
  return {
    add: (counts: AttemptCounts, cluster: number | undefined): void => {
      any.add(counts, cluster);
      all.add(counts, cluster);
    },
    summarize: (): Reliability['levels'][number] => ({ k, any: any.estimate(), all: all.estimate() }),
  };
}

function createMeanOfCases(ofCase: (counts: AttemptCounts) => PassEstimate) {
  const means = createClusteredMoments();
  const known = new Map<string, PassEstimate>();
  return {
    add: (counts: AttemptCounts, cluster: number | undefined): void => {
      const key = `${counts.c}/${counts.n}`;
      const found = known.get(key) ?? ofCase(counts);
      known.set(key, found);
      if (found.estimate !== null) means.add(found.estimate, cluster);
    },
    estimate: () => {
      const estimate = estimateShare(means.current());
      const [reason] = Array.from(known.values(), (one) =>
        one.status === 'undefined' ? one.reason : undefined,
      );
      return estimate.value === null && reason !== undefined ? { ...estimate, reason } : estimate;
    },
  };
}

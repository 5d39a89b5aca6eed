import type { Disagreement } from '../../schema/disagreement.ts';
import type { Outcome } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import type { VerdictNumbers } from '../../schema/verdict.ts';
import { type DisagreementKind, disagreementKinds } from './disagreement-kinds.ts';
import { createSpeakers, failed, nobody } from './disagreement-speakers.ts';
import { createWidest, type WidestLimits } from './disagreement-widest.ts';

/** What is looked for, and how much of it is named. */
export interface DisagreementChoices extends WidestLimits {
  readonly kinds: readonly DisagreementKind[];
}

/** What a summary names: enough to begin with. */
const forSummary: DisagreementChoices = { kinds: disagreementKinds, most: 5, oncePerCase: true };

/** Shares are made by dividing. */
const tolerance = 1e-9;

/**
 * Counts the answers on which metrics of a run contradict each other, kind by kind, and names those that are widest apart;
 * in memory that does not grow with the number of answers. A verdict that was not measured contradicts nothing.
 */
export function createDisagreementTally(run: Run, { kinds, ...limits } = forSummary) {
  const metrics = run.metrics.map(({ name }) => name);
  const targets = run.targets.map(({ name }) => name);
  const values = new Float64Array(metrics.length);
  const speakers = createSpeakers(run, values);
  const tallies = kinds.flatMap((kind) => {
    const [high, low] = [speakers.add(kind.high, 'least'), speakers.add(kind.low, 'most')];
    if (high === undefined || low === undefined) return [];
    const counts = targets.map((target) => ({ target, compared: 0, count: 0 }));
    return [{ kind, high, low, counts, widest: createWidest(limits) }];
  });

  const heard = speakers.heard();

  return {
    /** Counts an answer; says whether metrics contradict each other on it. */
    add: ({ trial: { ordinal, caseId, target }, verdicts }: Outcome): boolean => {
      const place = targets.indexOf(target);
      if (tallies.length === 0 || place === -1) return false;
      for (const metric of heard) values[metric] = valueOf(verdicts[metrics[metric] as string]);
      let isContradictory = false;
      const speaking = speakers.find();
      for (const { kind, high, low, counts, widest } of tallies) {
        const above = speaking[high] as number;
        const below = speaking[low] as number;
        const count = counts[place];
        if (above === nobody || below === nobody || count === undefined) continue;
        count.compared += 1;
        const most = values[above] as number;
        const least = values[below] as number;
        if (most < kind.high.limit - tolerance || least > kind.low.limit + tolerance) continue;
        isContradictory = true;
        count.count += 1;
        const opinions = {
          high: { metric: metrics[above] as string, value: most },
          low: { metric: metrics[below] as string, value: least },
        };
        widest.offer({ ordinal, caseId, target, ...opinions });
      }
      return isContradictory;
    },
    /** The kinds that the metrics of the run allow, those seen most often first; undefined when they allow none. */
    summarize: (): Disagreement[] | undefined => {
      if (tallies.length === 0) return undefined;
      const all = tallies.map(({ kind: { name, title, reading }, counts, widest }): Disagreement => {
        const compared = counts.reduce((sum, one) => sum + one.compared, 0);
        const count = counts.reduce((sum, one) => sum + one.count, 0);
        return { kind: name, title, reading, compared, count, targets: counts, widest: widest.all() };
      });
      return all.toSorted((a, b) => b.count - a.count);
    },
  };
}

/** Quantities are neither high nor low, and so are nobody's opinion. */
function valueOf(verdict: VerdictNumbers | undefined): number {
  if (verdict?.status === 'failed') return failed;
  return verdict?.status === 'scored' && verdict.unit === undefined ? verdict.value : Number.NaN;
}

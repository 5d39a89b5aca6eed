import { uncategorized } from '../../schema/case.ts';
import type { Outcome } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import type { TargetComparison } from '../../schema/target-comparison.ts';
import { betterOf, listCategoryMeasures, listMeasures, type Measure } from './comparison-measures.ts';
import { type ClusterNumbers, createClusterNumbers } from '../summary/cluster-numbers.ts';
import { createPairedMeans } from './paired-means.ts';
import { holm } from '../../stats/multiplicity/adjust-p-values.ts';
import { confidence } from '../summary/to-estimate.ts';
import { createTruthCount } from '../summary/truth-count.ts';

/**
 * Holds the targets of a run against each other, paired by case, in memory that does not grow with the number of cases.
 * Outcomes come in the order of the plan: all of a case, then all of the next.
 */
export function createTargetComparison(run: Run, categories: readonly string[]) {
  const targets = run.targets.map(({ name }) => name);
  if (targets.length < 2) return { add: (_: Outcome): void => {}, summarize: (): TargetComparison[] => [] };
  const places = new Map(targets.map((target, place) => [target, place]));
  const clusters = createClusterNumbers();
  const common = listMeasures(run).map((measure) => createTrack(measure, targets, clusters));
  const ofCategories = listCategoryMeasures(run, categories).map((measure) =>
    createTrack(measure, targets, createClusterNumbers()),
  );
  const byCategory = new Map(ofCategories.map((track) => [track.name, track]));
  let caseId: string | undefined;
  let cluster: string | undefined;

  const flush = () => {
    for (const track of common) track.endCase(cluster);
    for (const track of open) track.endCase(cluster);
    open.clear();
  };
  const open = new Set<Track>();

  return {
    add: (outcome: Outcome): void => {
      if (outcome.trial.caseId !== caseId) flush();
      caseId = outcome.trial.caseId;
      cluster = outcome.case.cluster;
      const place = places.get(outcome.trial.target);
      if (place === undefined) return;
      for (const track of common) track.add(place, outcome);
      const ofCategory = byCategory.get(outcome.case.category ?? uncategorized);
      if (ofCategory === undefined) return;
      ofCategory.add(place, outcome);
      open.add(ofCategory);
    },
    /** To be asked for once, after the last outcome. */
    summarize: (): TargetComparison[] => {
      flush();
      return correctMarks([...common, ...ofCategories].map((track) => track.summarize()));
    },
  };
}

/**
 * Corrects the p-values for the number of rows, by Holm's method as `touchstone compare` does: the first by itself, which
 * was chosen before looking, and all others together. Only what is still below 5 % is marked.
 */
function correctMarks(comparisons: readonly TargetComparison[]): TargetComparison[] {
  return [comparisons.slice(0, 1), comparisons.slice(1)].flatMap((family) => {
    const tested = family.filter(({ pValue }) => typeof pValue === 'number');
    const { adjusted } = holm({ pValues: tested.map(({ pValue }) => pValue ?? 1) });
    const corrected = new Map(tested.map((comparison, place) => [comparison, adjusted[place] ?? 1]));
    return family.map((comparison) => {
      const adjustedPValue = corrected.get(comparison) ?? null;
      const isBeyond = adjustedPValue !== null && adjustedPValue < 1 - confidence;
      return { ...comparison, adjustedPValue, best: isBeyond ? comparison.best : null };
    });
  });
}

type Track = ReturnType<typeof createTrack>;

/** One measure: averages the attempts of a case for each target, then hands the case on. */
function createTrack(measure: Measure, targets: readonly string[], clusters: ClusterNumbers) {
  const sums = new Float64Array(targets.length);
  const weights = new Float64Array(targets.length);
  const means = createPairedMeans(targets);
  const truths = targets.map(createTruthCount);
  return {
    name: measure.name,
    add: (place: number, outcome: Outcome): void => {
      const value = measure.read(outcome);
      if (value === undefined) return;
      truths[place]?.add(value);
      const { weight = 1 } = outcome;
      sums[place] = (sums[place] as number) + weight * value;
      weights[place] = (weights[place] as number) + weight;
    },
    endCase: (cluster: string | undefined): void => {
      means.add(
        targets.map((_, place) => {
          const weight = weights[place] as number;
          return weight === 0 ? undefined : (sums[place] as number) / weight;
        }),
        clusters.of(cluster),
      );
      sums.fill(0);
      weights.fill(0);
    },
    summarize: (): TargetComparison => {
      const [unit, better] = [measure.unit(), betterOf(measure)];
      const named = { measure: measure.measure, name: measure.name, ...(unit === undefined ? {} : { unit }) };
      const kind = { unit, truths: truths.map((count) => count.current()) };
      return { ...named, better, ...means.summarize(better, kind) };
    },
  };
}

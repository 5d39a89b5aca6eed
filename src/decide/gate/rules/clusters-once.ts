import { trialsWithoutFailure } from '../../../core/stats/planning/sample-size.ts';
import type { Finding } from '../gate-rule.ts';
import { describeSubject, type Subject } from '../phrases.ts';

/** The values of cases, with the clusters that some of them share. */
export interface CaseValues {
  readonly values: readonly number[];
  /** The clusters at the same positions; undefined when the cases are independent. */
  readonly clusters: readonly string[] | undefined;
  /** The weights of the cases, at the same positions; undefined when all weigh the same. */
  readonly weights?: readonly number[];
  /** Present when the values are means of clusters. */
  readonly noun?: 'cluster';
}

/** The reason why a rule about the mean of clusters measures nothing. */
export const noClusters = 'no question has a cluster';

/**
 * Returns the mean of each cluster as one value, so that every document counts once however many questions it has: values that
 * no longer depend on each other. Weights count inside of a cluster alone. Undefined when no two values share a cluster.
 */
export function eachClusterOnce({ values, clusters, weights }: CaseValues): CaseValues | undefined {
  if (clusters === undefined) return undefined;
  const groups = new Map<string, { sum: number; weight: number }>();
  for (const [place, value] of values.entries()) {
    const name = clusters[place] as string;
    const group = groups.get(name) ?? { sum: 0, weight: 0 };
    const weight = weights?.[place] ?? 1;
    group.sum += weight * value;
    group.weight += weight;
    groups.set(name, group);
  }
  const counted = [...groups.values()].filter(({ weight }) => weight > 0);
  return { values: counted.map(({ sum, weight }) => sum / weight), clusters: undefined, noun: 'cluster' };
}

/** Describes how many clusters there are of those that a loss of a share takes to be ruled out; empty when there are enough. */
export function describeLeast(
  { values, noun }: CaseValues,
  { share, confidence }: { readonly share: number; readonly confidence: number },
): string {
  if (noun === undefined || !(share > 0 && share < 1)) return '';
  const least = trialsWithoutFailure({ share, confidence });
  return values.length < least ? `; ${values.length} of ${least} clusters that this rule needs at least` : '';
}

/** The subject of a rule, with the option by which it is not about all questions. */
interface NarrowRule {
  readonly subject: Subject;
  readonly option: string;
}

/** Returns a finding that no certificate corrects: the errors of a judge are known for the mean of all questions alone. */
export function withoutCorrection(
  found: Finding,
  correction: object | undefined,
  { subject, option }: NarrowRule,
): Finding {
  if (correction === undefined || found.outcome === 'not-measured') return found;
  const reason = `${describeSubject(subject)} rests on a judge with a certificate, which corrects the mean of all questions alone: remove \`${option}\`; as the judge says, ${found.reason}`;
  return { ...found, outcome: 'inconclusive', reason };
}

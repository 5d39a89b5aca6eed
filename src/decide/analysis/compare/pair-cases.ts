import type { CaseNames } from '../../../core/schema/result.ts';
import type { KeptRun } from './compared-run.ts';

/** The pairing of the cases of two plans by content. */
export interface PairedCases {
  readonly pairs: number;
  /** The position in the older plan, or −1, by the position in the newer plan. */
  readonly partners: Int32Array;
  /** The number of the cluster by the position in the newer plan. Undefined when no two pairs share one. */
  readonly clusters: Int32Array | undefined;
  /** Number of clusters among the pairs; a case without one is its own cluster. */
  readonly clusterCount: number;
  /** Number of positions in the older plan. */
  readonly olderCases: number;
  /** Ids of the cases that the other plan does not have, in the order of the plan. */
  readonly onlyOlder: readonly string[];
  readonly onlyNewer: readonly string[];
}

/** Pairs the cases of two plans by the hash of their content, in about 100 bytes of memory for each case. */
export async function pairCases(older: KeptRun, newer: KeptRun): Promise<PairedCases> {
  return isSamePlan(older, newer) ? pairInOrder(newer) : pairByContent(await readPlan(older), newer);
}

/** Returns the partners of `pairCases` alone. For two runs of the same plan, nothing is read. */
export async function pairPositions(older: KeptRun, newer: KeptRun): Promise<Int32Array> {
  if (!isSamePlan(older, newer)) return (await pairCases(older, newer)).partners;
  return Int32Array.from({ length: newer.run.dataset.cases }, (_, position) => position);
}

/** Pairs every case of a plan with itself. */
async function pairInOrder(kept: KeptRun): Promise<PairedCases> {
  const clusters = (await readClusterColumn(kept)) ?? (await readClusters(kept));
  const count = clusters.size();
  return {
    pairs: count,
    partners: Int32Array.from({ length: count }, (_, position) => position),
    ...clusters.summarize(),
    olderCases: count,
    onlyOlder: [],
    onlyNewer: [],
  };
}

async function readClusters({ run, store }: KeptRun): Promise<ClusterNumbers> {
  const clusters = createClusterNumbers();
  for await (const page of store.readCaseNames(run.id)) for (const names of page) clusters.add(names, true);
  return clusters;
}

/** Reads the clusters from the columns of trials, where that is wanted. Returns undefined when some cases have no trial. */
async function readClusterColumn({
  run,
  store,
  hasColumnsRead,
}: KeptRun): Promise<ClusterNumbers | undefined> {
  if (hasColumnsRead !== true) return undefined;
  const trialsPerCase = run.targets.length * run.attempts;
  const clusters = createClusterNumbers();
  for await (const trials of store.readColumns(run.id, { columns: ['cluster'] })) {
    for (const { ordinal, values } of trials) {
      const position = Math.floor(ordinal / trialsPerCase);
      if (position > clusters.size()) return undefined;
      if (position === clusters.size())
        clusters.add({ cluster: (values[0] ?? undefined) as string | undefined }, true);
    }
  }
  return clusters.size() === run.dataset.cases ? clusters : undefined;
}

async function pairByContent({ positions, ids }: Plan, newer: KeptRun): Promise<PairedCases> {
  const clusters = createClusterNumbers();
  const partners: number[] = [];
  const onlyNewer: string[] = [];
  for await (const key of readCaseKeys(newer)) {
    const partner = positions.get(key.hash) ?? -1;
    if (partner === -1) onlyNewer.push(key.id);
    positions.delete(key.hash);
    clusters.add(key, partner !== -1);
    partners.push(partner);
  }
  const left = new Set(positions.values());
  return {
    pairs: partners.length - onlyNewer.length,
    partners: Int32Array.from(partners),
    ...clusters.summarize(),
    olderCases: ids.length,
    onlyOlder: ids.filter((_, position) => left.has(position)),
    onlyNewer,
  };
}

/**
 * Returns whether two runs have the same plan. The hash of a plan covers the ids and hashes of its cases in order; a
 * run that is being planned has none.
 */
function isSamePlan({ run: older }: KeptRun, { run: newer }: KeptRun): boolean {
  const [a, b] = [older.dataset, newer.dataset];
  return a.hash !== '' && a.hash === b.hash && a.cases === b.cases;
}

interface Plan {
  /** The position by the hash of the content. */
  readonly positions: Map<string, number>;
  readonly ids: string[];
}

async function readPlan(kept: KeptRun): Promise<Plan> {
  const plan: Plan = { positions: new Map(), ids: [] };
  for await (const { hash, id } of readCaseKeys(kept)) {
    plan.positions.set(hash, plan.ids.length);
    plan.ids.push(id);
  }
  return plan;
}

type ClusterNumbers = ReturnType<typeof createClusterNumbers>;

/** Creates a numbering of the clusters of paired cases, from 0. */
function createClusterNumbers() {
  const numbers: number[] = [];
  const known = new Map<string, number>();
  let count = 0;
  let isShared = false;
  return {
    add: ({ cluster }: Pick<CaseNames, 'cluster'>, isPaired: boolean): void => {
      const number = cluster === undefined ? undefined : known.get(cluster);
      numbers.push(isPaired ? (number ?? count) : -1);
      if (!isPaired) return;
      if (number !== undefined) isShared = true;
      else {
        if (cluster !== undefined) known.set(cluster, count);
        count += 1;
      }
    },
    /** Returns the number of cases. */
    size: () => numbers.length,
    summarize: (): Pick<PairedCases, 'clusters' | 'clusterCount'> => ({
      clusters: isShared ? Int32Array.from(numbers) : undefined,
      clusterCount: count,
    }),
  };
}

/** The key of a case in a plan, with its cluster. */
interface CaseKey extends Pick<CaseNames, 'id' | 'cluster'> {
  /** The hash of the content; content that occurs again has another hash (see `planRun`). */
  readonly hash: string;
}

/** Yields the keys of a plan in order. */
async function* readCaseKeys({ run, store }: KeptRun): AsyncGenerator<CaseKey> {
  for await (const { hash, case: testCase } of store.readCases(run.id)) {
    yield { hash, id: testCase.id, cluster: testCase.cluster };
  }
}

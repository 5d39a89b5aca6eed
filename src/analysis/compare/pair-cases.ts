import type { CaseNames } from '../../schema/result.ts';
import type { KeptRun } from './compared-run.ts';

/** Which case of one plan is which of the other, by content. */
export interface PairedCases {
  readonly pairs: number;
  /** By the position in the newer plan: the position in the older one, or −1. */
  readonly partners: Int32Array;
  /** By the position in the newer plan: the number of the cluster. Missing when no two pairs share one. */
  readonly clusters: Int32Array | undefined;
  /** Clusters among the pairs, a case without one being a cluster of its own. */
  readonly clusterCount: number;
  /** Positions in the older plan. */
  readonly olderCases: number;
  /** Ids of the cases that the other plan does not have, in the order of the plan. */
  readonly onlyOlder: readonly string[];
  readonly onlyNewer: readonly string[];
}

/** Pairs the cases of two plans by the hash of their content, in memory of some 100 bytes a case. */
export async function pairCases(older: KeptRun, newer: KeptRun): Promise<PairedCases> {
  return isSamePlan(older, newer) ? pairInOrder(newer) : pairByContent(await readPlan(older), newer);
}

/** Every case of a plan with itself. */
async function pairInOrder({ run, store }: KeptRun): Promise<PairedCases> {
  const clusters = createClusterNumbers();
  let count = 0;
  for await (const page of store.readCaseNames(run.id)) {
    for (const names of page) clusters.add(names, true);
    count += page.length;
  }
  return {
    pairs: count,
    partners: Int32Array.from({ length: count }, (_, position) => position),
    ...clusters.summarize(),
    olderCases: count,
    onlyOlder: [],
    onlyNewer: [],
  };
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

/** The hash of a plan is made of the ids and hashes of its cases in order; a run that is being planned has none. */
function isSamePlan({ run: older }: KeptRun, { run: newer }: KeptRun): boolean {
  const [a, b] = [older.dataset, newer.dataset];
  return a.hash !== '' && a.hash === b.hash && a.cases === b.cases;
}

interface Plan {
  /** By the hash of the content. */
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

/** Numbers the clusters of paired cases from 0. */
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
    summarize: (): Pick<PairedCases, 'clusters' | 'clusterCount'> => ({
      clusters: isShared ? Int32Array.from(numbers) : undefined,
      clusterCount: count,
    }),
  };
}

/** What tells a case of a plan from the others, and which others it depends on. */
interface CaseKey extends Pick<CaseNames, 'id' | 'cluster'> {
  /** Of its content; the same content a second time has another one (see `planRun`). */
  readonly hash: string;
}

/** The keys of a plan, in its order. */
async function* readCaseKeys({ run, store }: KeptRun): AsyncGenerator<CaseKey> {
  for await (const { hash, case: testCase } of store.readCases(run.id)) {
    yield { hash, id: testCase.id, cluster: testCase.cluster };
  }
}

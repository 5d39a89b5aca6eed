import { TouchstoneError } from '../../core/errors.ts';
import { getOrCreate } from '../../core/lib/objects.ts';
import {
  type CaseStability,
  type DatasetRow,
  type DatasetVersion,
  type DatasetView,
  type StabilityKind,
  stabilityKinds,
} from '../../core/schema/api/dataset-view.ts';
import type { RunHead } from '../../core/schema/api/run-head.ts';
import { uncategorized } from '../../core/schema/case.ts';
import type { TrialOutcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';

/** The number of versions of which the cases are compared, and of the last runs whose results are counted. */
const mostVersions = 10;
const mostRuns = 10;

/** The most cases that are listed by name. */
const mostListed = 200;

/** Returns the name of a run's dataset: the names of its files, with commas between them. */
function datasetOf({ dataset }: Pick<RunHead, 'dataset'>): string {
  return dataset.sources.join(', ');
}

/** Returns false for a run that asks only what failed in another: its cases are no version of the dataset. */
function isOfWholeSet({ failedOf }: RunHead): boolean {
  return failedOf === undefined;
}

/** Lists the datasets that the runs of a store name, the one of the newest run first. */
export async function listDatasets(store: Pick<Store, 'listRuns'>): Promise<DatasetRow[]> {
  const byName = Map.groupBy((await store.listRuns()).filter(isOfWholeSet), datasetOf);
  return Array.from(byName, ([name, runs]): DatasetRow[] => {
    const [latest] = runs;
    if (latest === undefined) return [];
    const versions = new Set(runs.map(({ dataset }) => dataset.hash)).size;
    const { id, createdAt, dataset } = latest;
    return [{ name, cases: dataset.cases, versions, runs: runs.length, latest: { id, createdAt } }];
  }).flat();
}

/** Returns the runs over a dataset, the newest first. Throws `dataset-not-found` when there is none. */
export async function runsOver(store: Pick<Store, 'listRuns'>, name: string): Promise<RunHead[]> {
  const runs = (await store.listRuns()).filter((run) => datasetOf(run) === name && isOfWholeSet(run));
  if (runs.length > 0) return runs;
  throw new TouchstoneError('dataset-not-found', `No run of the store has the dataset "${name}".`, {
    remedy: 'Choose one from the list of datasets.',
  });
}

/** Reads the versions of a dataset, its categories, and the results of its cases in the last runs. */
export async function viewDataset(store: Store, name: string): Promise<DatasetView> {
  const runs = await runsOver(store, name);
  const plans = createPlanReader(store);
  const latest = runs.find(({ status }) => status === 'completed');
  const run = latest && (await store.readRun(latest.id));
  return {
    name,
    versions: await listVersions(runs, plans),
    categories: run === undefined ? [] : categoriesOf(run),
    stability: await readStability(store, runs, plans),
  };
}

/** A case in the plan of a run. */
interface PlanRow {
  readonly id: string;
  readonly hash: string;
  readonly category: string;
}

type PlanReader = (run: RunHead) => Promise<readonly PlanRow[]>;

/** Creates a reader of the cases of runs, which reads the same version of a dataset once. */
function createPlanReader(store: Pick<Store, 'readCases'>): PlanReader {
  const plans = new Map<string, Promise<readonly PlanRow[]>>();
  return async ({ id, dataset }) =>
    await getOrCreate(plans, dataset.hash, async () => {
      const cases = await Array.fromAsync(store.readCases(id));
      return cases.map((row) => ({
        id: row.case.id,
        hash: row.hash,
        category: row.case.category ?? uncategorized,
      }));
    });
}

/** Returns the versions of a dataset in the order of their first runs, the newest first. */
async function listVersions(runs: readonly RunHead[], plans: PlanReader): Promise<DatasetVersion[]> {
  const byHash = Map.groupBy(runs, ({ dataset }) => dataset.hash);
  const ordered = [...byHash.values()]
    .map((own) => ({ own, latest: own[0] as RunHead, first: own.at(-1) as RunHead }))
    .sort((one, other) => runs.indexOf(one.first) - runs.indexOf(other.first));
  return await Promise.all(
    ordered.map(async ({ own, latest, first }, index): Promise<DatasetVersion> => {
      const before = index < mostVersions ? ordered[index + 1]?.latest : undefined;
      return {
        hash: latest.dataset.hash,
        cases: latest.dataset.cases,
        firstSeen: first.createdAt,
        runs: own.length,
        latestRun: latest.id,
        changes: before === undefined ? null : comparePlans(await plans(before), await plans(latest)),
      };
    }),
  );
}

function comparePlans(
  before: readonly PlanRow[],
  after: readonly PlanRow[],
): NonNullable<DatasetVersion['changes']> {
  const earlier = new Map(before.map(({ id, hash }) => [id, hash]));
  const later = new Set(after.map(({ id }) => id));
  return {
    added: after.filter(({ id }) => !earlier.has(id)).length,
    removed: before.filter(({ id }) => !later.has(id)).length,
    changed: after.filter(({ id, hash }) => earlier.has(id) && earlier.get(id) !== hash).length,
  };
}

function categoriesOf({ dataset, summary }: Run): DatasetView['categories'] {
  const scores = summary?.targets.flatMap(({ categories }) => categories) ?? [];
  return (dataset.categories ?? []).map(({ category, cases }) => {
    const widths = scores.flatMap(({ category: name, score: { lower, upper } }) =>
      name === category && lower !== null && upper !== null ? (upper - lower) / 2 : [],
    );
    return { category, cases, halfWidth: widths.length === 0 ? null : Math.max(...widths) };
  });
}

/** The results of one target at one case. */
interface Tally {
  passed: number;
  failed: number;
}

/** Counts the results of the cases of the newest version in the last completed runs, by the content of the cases. */
async function readStability(
  store: Pick<Store, 'readColumns'>,
  runs: readonly RunHead[],
  plans: PlanReader,
): Promise<DatasetView['stability']> {
  const counted = runs
    .filter(({ status, rescoredFrom }) => status === 'completed' && rescoredFrom === undefined)
    .slice(0, mostRuns);
  const tallies = new Map<string, Map<string, Tally>>();
  for (const run of counted) {
    const plan = await plans(run);
    const ofCase = run.targetCount * run.attempts;
    for await (const trials of store.readColumns(run.id, { columns: ['target', 'result'] })) {
      for (const { ordinal, values } of trials) {
        const [target, result] = values as [string, TrialOutcome];
        const row = plan[Math.floor(ordinal / ofCase)];
        // A target under a condition is asked something else.
        if (row !== undefined && run.targets.includes(target)) {
          const ofTargets = getOrCreate(tallies, row.hash, () => new Map<string, Tally>());
          countResult(
            getOrCreate(ofTargets, target, () => ({ passed: 0, failed: 0 })),
            result,
          );
        }
      }
    }
  }
  const [newest] = counted;
  const cases = newest === undefined ? [] : await plans(newest);
  const rows = cases.map((row) => toStability(row, tallies.get(row.hash)));
  return { runs: counted.length, ...summarizeStability(rows) };
}

function countResult(tally: Tally, result: TrialOutcome): void {
  if (result === 'passed') tally.passed += 1;
  // An error is no failure of the case, here as in every other count.
  if (result === 'failed') tally.failed += 1;
}

function toStability(
  { id, category }: PlanRow,
  ofTargets: ReadonlyMap<string, Tally> = new Map(),
): CaseStability {
  const tallies = [...ofTargets.values()];
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
  const isFlaky = tallies.some((tally) => tally.passed > 0 && tally.failed > 0);
  return { id, category, kind: kindOf({ passed, failed }, isFlaky), passed, failed };
}

function kindOf({ passed, failed }: Readonly<Tally>, isFlaky: boolean): StabilityKind {
  if (isFlaky) return 'flaky';
  if (passed > 0) return failed > 0 ? 'differs' : 'always-passed';
  return failed > 0 ? 'always-failed' : 'unknown';
}

function summarizeStability(rows: readonly CaseStability[]): Omit<DatasetView['stability'], 'runs'> {
  const counts = Object.fromEntries(
    stabilityKinds.map((kind) => [kind, rows.filter((row) => row.kind === kind).length]),
  ) as Record<StabilityKind, number>;
  const listed = rows.filter(({ kind }) => kind !== 'always-passed' && kind !== 'unknown');
  const share = ({ passed, failed }: CaseStability) => passed / (passed + failed);
  return { counts, cases: listed.sort((a, b) => share(a) - share(b)).slice(0, mostListed) };
}

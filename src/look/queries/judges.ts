import {
  createAgreementTally,
  createFlipTally,
  readVerdicts,
} from '../../decide/analysis/judge-agreement.ts';
import { createJudgementTally } from '../../decide/analysis/judge-tally.ts';
import { TouchstoneError } from '../../core/errors.ts';
import type {
  JudgeAgreement,
  JudgedMetric,
  JudgeFlips,
  JudgeRow,
  JudgeView,
} from '../../core/schema/api/judge-view.ts';
import type { Run } from '../../core/schema/run.ts';
import { type Summary, summarySchema } from '../../core/schema/summary.ts';
import { readRuns, type Store } from '../../stores/store.ts';
import { listRefusals, readCertificateStates, readCertificateViews } from './judge-certificates.ts';

/** The newest runs that are looked through for judges. */
const mostRuns = 1_000;

/** The newest runs of a judge whose judgements are read, and the most judgements. */
const mostRead = { runs: 10, judgements: 20_000 };

/** The most comparisons with other judges. */
const mostPairs = 10;

/** Lists the judges of the newest runs, the last used first. */
export async function listJudges(store: Store): Promise<JudgeRow[]> {
  const runs = await Array.fromAsync(readRuns(store, { limit: mostRuns }));
  const rows: JudgeRow[] = [];
  for (const row of rowsOf(runs)) {
    const run = runs.find(({ id }) => id === row.lastRun.id);
    rows.push({
      ...row,
      certificates: run === undefined ? [] : await readCertificateStates(run, row, store),
    });
  }
  return rows;
}

function rowsOf(runs: readonly Run[]): JudgeRow[] {
  const judged = runs.flatMap((run) => judgedMetrics(run).map((metric) => ({ ...metric, of: run })));
  const byJudge = Map.groupBy(judged, ({ judge }) => judge.fingerprint);
  return Array.from(byJudge.values(), (uses) => toRow(uses)).flatMap((row) => row ?? []);
}

/** Returns the metrics whose verdicts rest on a judge: some have one and did not ask it. */
function judgedMetrics(run: Run): JudgedMetric[] {
  const { id, metrics } = run;
  const asking = summaryOf(run)?.judged?.map(({ metric }) => metric);
  return metrics.flatMap(({ name, judge }) =>
    judge === undefined || asking?.includes(name) === false
      ? []
      : [{ run: id, metric: name, judge: { name: judge.name, fingerprint: judge.fingerprint } }],
  );
}

function toRow(uses: readonly (JudgedMetric & { readonly of: Run })[]): JudgeRow | undefined {
  const [newest] = uses;
  if (newest === undefined) return undefined;
  const runs = [...new Set(uses.map(({ of }) => of))];
  const row: JudgeRow = {
    ...newest.judge,
    metrics: [...new Set(uses.map(({ metric }) => metric))],
    runs: runs.length,
    lastRun: { id: newest.of.id, createdAt: newest.of.createdAt },
    verdicts: 0,
    failed: 0,
    cost: null,
    isCostShared: false,
    certificates: [],
  };
  for (const run of runs) {
    const summary = summaryOf(run);
    const own = new Set(uses.filter(({ of }) => of === run).map(({ metric }) => metric));
    const metrics = summary?.targets.flatMap((target) => target.metrics) ?? [];
    for (const { metric, scored, judgeFaults = 0 } of metrics) {
      if (!own.has(metric)) continue;
      row.verdicts += scored;
      row.failed += judgeFaults;
    }
    const isAlone = judgedMetrics(run).every(({ judge }) => judge.fingerprint === row.fingerprint);
    if (!isAlone) row.isCostShared = true;
    else if (typeof summary?.judge?.cost.sum === 'number')
      row.cost = (row.cost ?? 0) + summary.judge.cost.sum;
  }
  return row;
}

function summaryOf(run: Run): Summary | undefined {
  return summarySchema.safeParse(run.summary).data;
}

/**
 * Describes a judge, named by its fingerprint or by its name; of several with the name, the last used one. Throws
 * `judge-not-found`.
 */
export async function describeJudge(store: Store, given: string): Promise<JudgeView> {
  const all = await Array.fromAsync(readRuns(store, { limit: mostRuns }));
  const rows = rowsOf(all);
  const judge =
    rows.find(({ fingerprint }) => fingerprint === given) ?? rows.find(({ name }) => name === given);
  if (judge === undefined) {
    throw new TouchstoneError('judge-not-found', `No run of this store has a judge "${given}".`);
  }
  const own = all.filter((run) => metricsOf(run, judge).length > 0);
  const agreements = await Array.fromAsync(compareJudges(store, all, judge));
  return {
    judge,
    certificates: await readCertificateViews(own, judge, store),
    refused: await listRefusals(judge, store),
    runs: own.map((run) => ({ id: run.id, createdAt: run.createdAt, metrics: metricsOf(run, judge) })),
    ...(await tallyJudgements(store, own, judge)),
    agreements,
    flips: await Array.fromAsync(countFlips(store, own, judge)),
    noise: noiseOf(own, judge),
    disagreements: disagreementsOf(own, judge),
  };
}

function metricsOf(run: Run, { fingerprint }: Pick<JudgeRow, 'fingerprint'>): string[] {
  return judgedMetrics(run)
    .filter(({ judge }) => judge.fingerprint === fingerprint)
    .map(({ metric }) => metric);
}

async function tallyJudgements(store: Store, runs: readonly Run[], { fingerprint }: JudgeRow) {
  const tally = createJudgementTally();
  let read = 0;
  for (const { id } of runs.slice(0, mostRead.runs)) {
    if (tally.count() >= mostRead.judgements) break;
    read += 1;
    for await (const judgement of store.readJudgements(id)) {
      if (judgement.judge.fingerprint === fingerprint) tally.add(judgement);
      if (tally.count() >= mostRead.judgements) break;
    }
  }
  return { read: { runs: read, judgements: tally.count() }, ...tally.summarize() };
}

/** Compares the judge with others that gave verdicts by the same metric on the same trials, the newest runs first. */
async function* compareJudges(
  store: Store,
  runs: readonly Run[],
  judge: JudgeRow,
): AsyncGenerator<JudgeAgreement> {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const judged = runs.flatMap((run) =>
    judgedMetrics(run).map((metric) => ({
      ...metric,
      of: run,
      root: rootOf(run, byId),
    })),
  );
  let pairs = 0;
  for (const { of, root, ...own } of judged) {
    if (own.judge.fingerprint !== judge.fingerprint) continue;
    for (const { of: otherRun, root: otherRoot, ...other } of judged) {
      if (otherRoot !== root || other.judge.fingerprint === judge.fingerprint) continue;
      if (!isSameMetric(of, own, otherRun, other)) continue;
      if (pairs >= mostPairs) return;
      pairs += 1;
      const verdicts = await readVerdicts(otherRun, other.metric, store.readOutcomes(otherRun.id));
      const tally = createAgreementTally(of, own, other, verdicts);
      for await (const some of store.readOutcomes(of.id)) for (const outcome of some) tally.add(outcome);
      yield tally.summarize();
    }
  }
}

/** Returns the id of the run whose trials a run scores. */
function rootOf(run: Run, byId: ReadonlyMap<string, Run>): string {
  const before = run.rescoredFrom;
  const known = before === undefined ? undefined : byId.get(before);
  return known === undefined ? (before ?? run.id) : rootOf(known, byId);
}

/** Returns whether two metrics ask their judges the same question, whatever they are called in their runs. */
function isSameMetric(run: Run, own: JudgedMetric, otherRun: Run, other: JudgedMetric): boolean {
  const one = run.metrics.find(({ name }) => name === own.metric);
  const another = otherRun.metrics.find(({ name }) => name === other.metric);
  return one !== undefined && another !== undefined && one.use.use === another.use.use;
}

/** Counts the answers on which repeated samples of the judge differ, in its newest runs that have samples. */
async function* countFlips(store: Store, runs: readonly Run[], judge: JudgeRow): AsyncGenerator<JudgeFlips> {
  for (const run of runs.slice(0, mostRead.runs)) {
    const tallies = metricsOf(run, judge).map((metric) => createFlipTally(run, metric));
    for await (const some of store.readOutcomes(run.id)) {
      for (const outcome of some) for (const tally of tallies) tally.add(outcome);
    }
    for (const flips of tallies.map((tally) => tally.summarize())) if (flips.answers > 0) yield flips;
  }
}

function noiseOf(runs: readonly Run[], judge: JudgeRow): JudgeView['noise'] {
  const known = runs.map((run) => {
    const metrics = new Set(metricsOf(run, judge));
    return (summaryOf(run)?.targets ?? []).flatMap(({ target, noise }) =>
      (noise?.measures ?? [])
        .filter((measure) => metrics.has(measure.name) && measure.judge.variance !== null)
        .map((measure) => ({ run: run.id, target, measure })),
    );
  });
  return known.find(({ length }) => length > 0) ?? [];
}

function disagreementsOf(runs: readonly Run[], judge: JudgeRow): JudgeView['disagreements'] {
  for (const run of runs) {
    const metrics = new Set(metricsOf(run, judge));
    const kinds = (summaryOf(run)?.disagreements ?? [])
      .map((kind) => ({
        ...kind,
        widest: kind.widest.filter(({ high, low }) => metrics.has(high.metric) || metrics.has(low.metric)),
      }))
      .filter(({ widest }) => widest.length > 0);
    if (kinds.length > 0) return { run: run.id, kinds };
  }
  return null;
}

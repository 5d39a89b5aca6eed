import type { Run } from '../../../core/schema/run.ts';
import type { ScoreChanges } from '../../../core/schema/verdict.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { readLocatedBaseline } from '../../../decide/gate/baselines.ts';
import { rescore as rescoreRun } from '../../../evaluate/run/rescore.ts';
import { createLocalExecutor } from '../../../evaluate/executors/local.ts';
import { neverStopped, type RunNeeds } from '../../../evaluate/run/run-needs.ts';
import { compareScores, storeReweighed } from '../../../evaluate/run/scoring/reweigh.ts';
import { withTelemetry } from '../../../exchange/telemetry/with-telemetry.ts';
import type { Store } from '../../../stores/store.ts';
import { conditionsOfRun } from '../../config/conditions/condition-setting.ts';
import type { Config } from '../../config/config.ts';
import { readConfig } from '../../config/load-config.ts';
import { type LoadedRules, toRules } from '../../config/load-rules.ts';
import { reweighScorecard } from '../../config/reweigh-scorecard.ts';
import { findWholeRun } from '../named-runs.ts';
import { withWritableStore } from '../open-store.ts';
import { type GateChoice, joinGate } from './join-gate.ts';
import { reportOf, type RunOptions, type RunReport } from './run.ts';

/** Options of rescoring besides the rules. */
export interface RescoreOptions
  extends Pick<RunOptions, 'folder' | 'store' | 'observer' | 'signals'>,
    Omit<GateChoice, 'sequential'> {
  /** The number of times that a judge is asked the same question, in place of the config's. */
  readonly judgeSamples?: number;
  /** False to ask judges again instead of reusing stored judgements; by default the config decides. */
  readonly cache?: boolean;
}

/**
 * Scores the stored answers of a run by the metrics, scorecard, judge and gate of a config, as a run of its own, as `touchstone
 * rescore` does. No target is called, and no judge is asked a question twice.
 * @param runId - A run by its id, a part of it, `latest`, `latest~1`, the name of a baseline, or its own name.
 * @throws TouchstoneError for a run that does not exist or whose totals do not add up, and for an invalid config or baseline.
 */
export async function rescore(
  runId: string,
  config: Config | string,
  options: RescoreOptions = {},
): Promise<RunReport> {
  const { observer = {}, signals = neverStopped, folder, store: given } = options;
  const choice = { folder, store: given, config };
  return await withWritableStore(choice, async (store) => {
    const ready = await readyRescore(runId, config, store, options);
    const needs = { store, executor: createLocalExecutor(), observer, signals };
    return reportOf(await makeRescored(ready, needs), choice);
  });
}

/** A run whose stored answers are scored, and the rules. */
export interface ReadyRescore {
  readonly source: Run;
  readonly rules: LoadedRules;
}

/**
 * Finds a run and loads the rules that score its answers, with the metrics that its conditions bring. Throws as `rescore` does, before a
 * judge is called.
 */
export async function readyRescore(
  runId: string,
  config: Config | string | undefined,
  store: Store,
  options: Omit<RescoreOptions, 'store'>,
): Promise<ReadyRescore> {
  const { folder = process.cwd(), judgeSamples, cache } = options;
  const source = await findWholeRun(store, runId);
  const judgeCache = cache === false ? false : undefined;
  const overrides = { judgeSamples, judgeCache, ...conditionsOfRun(source) };
  const rules = await toRules(await readConfig(config, folder), overrides);
  const gate = joinGate(rules.gate, options, folder);
  if (gate.baseline !== undefined) await readLocatedBaseline(gate.baseline, store);
  return { source, rules: { ...rules, gate } };
}

/** Scores the answers, and sends its spans where the config, or `telemetry` in its place, says. */
export async function makeRescored(
  { source, rules }: ReadyRescore,
  needs: RunNeeds,
  telemetry: Parameters<typeof withTelemetry>[0] = rules.telemetry,
): Promise<Run> {
  return await withTelemetry(telemetry, needs, async (watched) => await rescoreRun(source, rules, watched));
}

/**
 * Computes what other weights change in the scores of a run. Nothing is called and nothing is stored.
 * @param weights - The new weights by the names of criteria; the others share the rest.
 * @throws TouchstoneError for a run that does not exist or whose totals do not add up, and for weights that its scorecard cannot have.
 */
export async function compareWeights(
  runId: string,
  weights: ReadonlyMap<string, number>,
  store: Store,
): Promise<ScoreChanges> {
  const { source, before, scorecard } = await findWeighted(runId, weights, store);
  return {
    ...(await compareScores(source, scorecard, store.readResults(source.id))),
    weights: scorecard.criteria.map(({ name, weight }) => ({
      criterion: name,
      before: before.criteria.find((criterion) => criterion.name === name)?.weight ?? 0,
      after: weight,
    })),
  };
}

/** Stores the answers of a run under other weights as a run of its own. Nothing is called. Throws as `compareWeights` does. */
export async function reweigh(
  runId: string,
  weights: ReadonlyMap<string, number>,
  store: Store,
): Promise<Run> {
  const { source, scorecard } = await findWeighted(runId, weights, store);
  return await storeReweighed(source, scorecard, store);
}

async function findWeighted(runId: string, weights: ReadonlyMap<string, number>, store: Store) {
  const source = await findWholeRun(store, runId);
  const before = source.scorecard;
  if (before !== null) return { source, before, scorecard: reweighScorecard(before, weights) };
  throw new TouchstoneError('usage-invalid', `Run ${source.id} has no scorecard, so it has no weights.`);
}

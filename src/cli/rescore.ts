import { conditionsOfRun } from '../config/conditions-of-run.ts';
import { loadRules } from '../config/load-rules.ts';
import { reweighScorecard } from '../config/reweigh-scorecard.ts';
import { TouchstoneError } from '../errors.ts';
import { compareScores } from '../run/compare-scores.ts';
import type { ScoringRules } from '../run/begin-run.ts';
import type { LiveScorecard } from '../run/evaluation.ts';
import { keepReweighed } from '../run/keep-reweighed.ts';
import { rescore } from '../run/rescore.ts';
import type { Run } from '../schema/run.ts';
import type { ScoreChanges } from '../schema/score-changes.ts';
import type { Store } from '../stores/store.ts';
import { executeWork } from './execute-run.ts';
import { findRun } from './find-run.ts';
import { limitHeap } from './limit-heap.ts';
import { openStore, openWritableStore } from './open-store.ts';
import { claimStdout, type Output } from './output.ts';
import { formatChanges } from './print-changes.ts';
import { judgeCacheOf } from './run.ts';
import { checkOutputs, type ReportChoices, writeReport } from './write-report.ts';

/** The options of `touchstone rescore`, as the command line gives them. */
export interface RescoreFlags extends ReportChoices {
  readonly config?: string;
  /** New weights by the name of the criterion. */
  readonly weights?: ReadonlyMap<string, number>;
  /** Whether what other weights make of the run is kept as a run of its own. */
  readonly keep?: boolean;
  readonly failUnder?: number;
  /** False for `--no-cache`. */
  readonly cache?: boolean;
}

/**
 * `touchstone rescore [run]`: scores stored answers by the rules of a config, as a run of its own. With `--weights`, says
 * what other weights would make of the verdicts that are there. No target is called.
 */
export async function rescoreCommand(given: string | undefined, flags: RescoreFlags): Promise<number> {
  const output = claimStdout();
  checkOutputs(flags);
  if (flags.weights !== undefined && flags.config !== undefined) {
    throw new TouchstoneError(
      'usage-invalid',
      '`--weights` is about the rules of the run itself, not of a config.',
      {
        remedy: 'Change the weights in the config, or leave out `--config`.',
      },
    );
  }
  const isKept = flags.weights === undefined || flags.keep === true;
  const store = await (isKept ? openWritableStore(flags.store) : openStore(flags.store));
  try {
    const source = await findRun(store, given);
    if (flags.weights !== undefined) return await reweigh(source, flags.weights, { store, output, flags });
    const overrides = { ...judgeCacheOf(flags), ...conditionsOfRun(source) };
    const rules = withThreshold(await loadRules(flags.config, overrides), flags.failUnder);
    return await executeWork((needs) => rescore(source, rules, needs), {
      store,
      output,
      choices: flags,
      sayHowToGoOn: () => 'Run the same command again: no judge is asked twice.',
    });
  } finally {
    await store.close();
  }
}

interface Surroundings {
  readonly store: Store;
  readonly output: Output;
  readonly flags: RescoreFlags;
}

async function reweigh(
  source: Run,
  given: ReadonlyMap<string, number>,
  { store, output, flags }: Surroundings,
): Promise<number> {
  if (source.scorecard === null) {
    throw new TouchstoneError('usage-invalid', `Run ${source.id} has no scorecard, so it has no weights.`);
  }
  limitHeap();
  const scorecard = reweighScorecard(source.scorecard, given);
  if (flags.keep === true) {
    const kept = await keepReweighed(source, scorecard, store);
    if (kept.summary !== undefined) await writeReport(kept, kept.summary, { store, output, choices: flags });
    return 0;
  }
  const changes: ScoreChanges = {
    ...(await compareScores(source, scorecard, store.readResults(source.id))),
    weights: weightChanges(source, scorecard),
  };
  await output.write(flags.json === true ? `${JSON.stringify(changes, null, 2)}\n` : formatChanges(changes));
  return 0;
}

function weightChanges(source: Run, { criteria }: LiveScorecard): ScoreChanges['weights'] {
  return criteria.map(({ name, weight }) => ({
    criterion: name,
    before: source.scorecard?.criteria.find((criterion) => criterion.name === name)?.weight ?? 0,
    after: weight,
  }));
}

function withThreshold(rules: ScoringRules, failUnder: number | undefined): ScoringRules {
  return failUnder === undefined ? rules : { ...rules, gate: { ...rules.gate, failUnder } };
}

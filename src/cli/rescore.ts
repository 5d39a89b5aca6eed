import { conditionsOfRun } from '../config/conditions-of-run.ts';
import { loadRules } from '../config/load-rules.ts';
import { reweighScorecard } from '../config/reweigh-scorecard.ts';
import { TouchstoneError } from '../errors.ts';
import { readBaselineFile } from '../gate/baselines/baseline-file.ts';
import { compareScores } from '../run/scoring/compare-scores.ts';
import type { ScoringRules } from '../run/prepare/begin-run.ts';
import type { LiveScorecard } from '../run/evaluation.ts';
import { keepReweighed } from '../run/scoring/keep-reweighed.ts';
import { requireWhole } from '../analysis/summary/require-whole.ts';
import { rescore } from '../run/rescore.ts';
import type { RunNeeds } from '../run/run-needs.ts';
import type { Run } from '../schema/run.ts';
import type { ScoreChanges } from '../schema/score-changes.ts';
import type { Store } from '../stores/store.ts';
import { withTelemetry } from '../telemetry/with-telemetry.ts';
import { executeWork } from './execute-run.ts';
import { findRun } from './find-run.ts';
import { joinGate } from './gate-flags.ts';
import { findStoreFolder, openStore, openWritableStore } from './open-store.ts';
import { claimStdout, type Output } from './output.ts';
import { formatChanges } from './print-changes.ts';
import { judgeCacheOf } from './run.ts';
import { type TelemetryFlags, telemetryOf } from './telemetry-flags.ts';
import { checkOutputs, type ReportChoices, writeReport } from './write-report.ts';
import { jsonDocument } from '../lib/json-document.ts';

/** The options of `touchstone rescore`, as the command line gives them. */
export interface RescoreFlags extends ReportChoices, TelemetryFlags {
  readonly config?: string;
  /** New weights by the name of the criterion. */
  readonly weights?: ReadonlyMap<string, number>;
  /** Whether what other weights make of the run is kept as a run of its own. */
  readonly keep?: boolean;
  readonly failUnder?: number;
  /** A name, or a file. */
  readonly baseline?: string;
  /** How often each answer is judged. */
  readonly judgeSamples?: number;
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
  if (flags.weights !== undefined && flags.otel !== undefined) {
    throw new TouchstoneError('usage-invalid', 'With `--weights` nothing is called, so there are no spans.', {
      remedy: 'Leave out `--otel`.',
    });
  }
  const isKept = flags.weights === undefined || flags.keep === true;
  const store = await (isKept ? openWritableStore(flags.store) : openStore(flags.store));
  try {
    const source = await findRun(store, given);
    await requireWhole(source, store);
    if (flags.weights !== undefined) return await reweigh(source, flags.weights, { store, output, flags });
    const { judgeSamples } = flags;
    const samples = judgeSamples === undefined ? {} : { judgeSamples };
    const overrides = { ...judgeCacheOf(flags), ...samples, ...conditionsOfRun(source) };
    const loaded = await loadRules(flags.config, overrides);
    const rules = await withGateFlags(loaded, flags);
    const telemetry = telemetryOf(flags, loaded.telemetry);
    const work = (needs: RunNeeds) =>
      withTelemetry(telemetry, needs, (watched) => rescore(source, rules, watched));
    return await executeWork(work, {
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
  await output.write(flags.json === true ? jsonDocument(changes) : formatChanges(changes));
  return 0;
}

function weightChanges(source: Run, { criteria }: LiveScorecard): ScoreChanges['weights'] {
  return criteria.map(({ name, weight }) => ({
    criterion: name,
    before: source.scorecard?.criteria.find((criterion) => criterion.name === name)?.weight ?? 0,
    after: weight,
  }));
}

/** Throws `baseline-not-found` or `baseline-unreadable` before any judge is asked. */
async function withGateFlags(rules: ScoringRules, flags: RescoreFlags): Promise<ScoringRules> {
  const gate = joinGate(rules.gate, flags, await findStoreFolder(flags.store));
  if (gate.baseline !== undefined) await readBaselineFile(gate.baseline);
  return { ...rules, gate };
}

import { requireWhole } from '../../decide/analysis/summary/check-totals.ts';
import { conditionsOfRun } from '../../library/config/conditions/condition-setting.ts';
import { loadRules } from '../../library/config/load-rules.ts';
import { reweighScorecard } from '../../library/config/reweigh-scorecard.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { readLocatedBaseline } from '../../decide/gate/baselines.ts';
import { jsonDocument } from '../../core/lib/objects.ts';
import { shorten, toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { formatCount, formatPercent, formatPlural, formatWeight } from '../../look/report/format.ts';
import type { ResolvedScorecard } from '../../evaluate/run/evaluation.ts';
import type { ScoringRules } from '../../evaluate/run/prepare/begin-run.ts';
import { rescore } from '../../evaluate/run/rescore.ts';
import type { RunNeeds } from '../../evaluate/run/run-needs.ts';
import { compareScores, storeReweighed } from '../../evaluate/run/scoring/reweigh.ts';
import type { Run } from '../../core/schema/run.ts';
import type { ScoreChange, ScoreChanges } from '../../core/schema/verdict.ts';
import type { Store } from '../../stores/store.ts';
import { withTelemetry } from '../../exchange/telemetry/with-telemetry.ts';
import { executeWork } from '../execute-run.ts';
import { findRun } from '../../look/queries/runs.ts';
import { joinGate } from './gate-flags.ts';
import { openStore } from '../../library/api/open-store.ts';
import type { Output } from '../output.ts';
import type { InputOf } from '../program/input.ts';
import type { rescoreInputs } from '../program/shared-inputs.ts';
import { judgeCacheOf } from './run.ts';
import { telemetryOf } from './telemetry-flags.ts';
import { checkFormats, checkOutputs, exitCodeAfterWriting, writeReport } from '../write-report.ts';
import { storeOf, storeToRepeat } from '../program/store-of.ts';

/** The options of `touchstone rescore`. */
export type RescoreFlags = Partial<InputOf<typeof rescoreInputs>>;

/**
 * Scores stored answers by the rules of a config, as a new run. With `--weights`, shows the effect of other weights on the stored
 * verdicts. No target is called. Returns the exit code.
 */
export async function rescoreRun(
  { run: runId, ...flags }: RescoreFlags & { readonly run: string },
  output: Output,
): Promise<number> {
  checkFormats(flags);
  checkWeightFlags(flags);
  const isKept = flags.weights === undefined || flags.keep === true;
  const store = await openStore(storeOf(flags), isKept ? 'create' : 'existing');
  try {
    const source = await findRun(store, runId);
    await requireWhole(source, store);
    if (flags.weights !== undefined) {
      await checkOutputs(flags, { store });
      return await reweigh(source, flags.weights, { store, output, flags });
    }
    const { judgeSamples } = flags;
    const samples = judgeSamples === undefined ? {} : { judgeSamples };
    const overrides = { ...judgeCacheOf(flags), ...samples, ...conditionsOfRun(source) };
    const loaded = await loadRules(flags.config, overrides);
    const rules = await withGateFlags(loaded, flags, store);
    await checkOutputs(flags, { store });
    const telemetry = telemetryOf(flags, loaded.telemetry);
    const work = (needs: RunNeeds) =>
      withTelemetry(telemetry, { ...needs, isDetached: flags.detach === true }, (watched) =>
        rescore(source, rules, watched),
      );
    return await executeWork(work, {
      store,
      output,
      choices: { ...flags, store: await storeToRepeat(flags) },
      receiver: loaded.report,
      resumeHint: () => 'Run the same command again: stored judgements are reused.',
    });
  } finally {
    await store.close();
  }
}

/** Throws `usage-invalid` for options that do not apply with `--weights`. */
function checkWeightFlags({ weights, config, otel }: RescoreFlags): void {
  if (weights === undefined) return;
  if (config !== undefined) {
    throw new TouchstoneError(
      'usage-invalid',
      '`--weights` changes the rules of the run itself and cannot be combined with `--config`.',
      {
        remedy: 'Change the weights in the config, or omit `--config`.',
      },
    );
  }
  if (otel !== undefined) {
    throw new TouchstoneError('usage-invalid', 'With `--weights` nothing is called, so there are no spans.', {
      remedy: 'Omit `--otel`.',
    });
  }
}

/** The store, the output and the flags for applying other weights. */
interface ReweighNeeds {
  readonly store: Store;
  readonly output: Output;
  readonly flags: RescoreFlags;
}

async function reweigh(
  source: Run,
  weights: ReadonlyMap<string, number>,
  { store, output, flags }: ReweighNeeds,
): Promise<number> {
  if (source.scorecard === null) {
    throw new TouchstoneError('usage-invalid', `Run ${source.id} has no scorecard, so it has no weights.`);
  }
  const scorecard = reweighScorecard(source.scorecard, weights);
  if (flags.keep === true) {
    const kept = await storeReweighed(source, scorecard, store);
    const { summary } = kept;
    if (summary === undefined) return 0;
    const needs = { store, output, choices: flags };
    return await exitCodeAfterWriting(0, () => writeReport(kept, summary, needs));
  }
  const changes: ScoreChanges = {
    ...(await compareScores(source, scorecard, store.readResults(source.id))),
    weights: weightChanges(source, scorecard),
  };
  await output.write(flags.json === true ? jsonDocument(changes) : formatChanges(changes));
  return 0;
}

function weightChanges(source: Run, { criteria }: ResolvedScorecard): ScoreChanges['weights'] {
  return criteria.map(({ name, weight }) => ({
    criterion: name,
    before: source.scorecard?.criteria.find((criterion) => criterion.name === name)?.weight ?? 0,
    after: weight,
  }));
}

/** Merges flags into the gate. Throws `baseline-not-found` or `baseline-unreadable`, before any judge is called. */
async function withGateFlags(rules: ScoringRules, flags: RescoreFlags, store: Store): Promise<ScoringRules> {
  const gate = joinGate(rules.gate, flags);
  if (gate.baseline !== undefined) await readLocatedBaseline(gate.baseline, store);
  return { ...rules, gate };
}

const mostFlips = 40;
const widestName = 40;

/** Formats the effect of other weights on a run. */
function formatChanges({ run, weights, targets, flips, flipCount }: ScoreChanges): string {
  const lines = [
    `Run ${run} under other weights`,
    '',
    ...weights.map(weightLine),
    ...targets.flatMap((target) => ['', ...targetLines(target, targets.length > 1)]),
    '',
    flipCount === 0 ? 'No answer would flip.' : `${formatPlural(flipCount, 'answer')} would flip:`,
    ...flips.slice(0, mostFlips).map((flip) => flipLine(flip, targets.length > 1)),
    ...(flipCount > mostFlips
      ? [`  … and ${formatCount(flipCount - mostFlips)} more; --json lists them`]
      : []),
    '',
    'Nothing was called or stored; --keep stores the result as a run.',
  ];
  return `${lines.join('\n')}\n`;
}

function weightLine({ criterion, before, after }: ScoreChanges['weights'][number]): string {
  const change = before === after ? '' : ` → ${formatWeight(after)}`;
  return `  ${padded(criterion)}  ${formatWeight(before)}${change}`;
}

function targetLines(
  {
    target,
    compared,
    meanBefore,
    meanAfter,
    passedBefore,
    passedAfter,
    marks,
  }: ScoreChanges['targets'][number],
  isNamed: boolean,
): string[] {
  const score = `${formatPercent(meanBefore)} → ${formatPercent(meanAfter)}  (${formatPlural(compared, 'answer')})`;
  return [
    ...(isNamed ? [toTerminalText(target)] : []),
    `  ${padded('score')}  ${score}`,
    `  ${padded('passed')}  ${formatCount(passedBefore)} → ${formatCount(passedAfter)}`,
    ...marks.map(
      ({ mark, before, after }) => `  ${padded(mark)}  ${formatCount(before)} → ${formatCount(after)}`,
    ),
  ];
}

function flipLine({ caseId, target, attempt, before, after }: ScoreChange, hasTargets: boolean): string {
  const who = [caseId, ...(hasTargets ? [target] : []), ...(attempt > 1 ? [`#${attempt}`] : [])];
  const marks = [before, after].map(({ mark, passed }) => mark ?? (passed === true ? 'passed' : 'unknown'));
  const totals = [before, after].map(({ total }) => formatPercent(total));
  return `  ${padded(who.join(' '))}  ${marks.map(toTerminalText).join(' → ')}  ${totals.join(' → ')}`;
}

function padded(name: string): string {
  return shorten(name, widestName).padEnd(24);
}

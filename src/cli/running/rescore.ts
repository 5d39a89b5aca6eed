import { TouchstoneError } from '../../core/errors.ts';
import { shorten, toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { formatCount, formatPercent, formatPlural, formatWeight } from '../../look/report/format.ts';
import type { ScoreChange, ScoreChanges } from '../../core/schema/verdict.ts';
import type { Store } from '../../stores/store.ts';
import { withStore, withWritableStore } from '../../library/api/open-store.ts';
import { compareWeights, makeRescored, readyRescore, reweigh } from '../../library/api/runs/rescore.ts';
import { executeWork } from '../execute-run.ts';
import type { Output } from '../output.ts';
import type { InputOf } from '../program/input.ts';
import type { rescoreInputs } from '../program/shared-inputs.ts';
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
  const { weights } = flags;
  const isKept = weights === undefined || flags.keep === true;
  const use = isKept ? withWritableStore : withStore;
  return await use(storeOf(flags), async (store) => {
    if (weights !== undefined) return await applyWeights(runId, weights, { store, output, flags });
    const ready = await readyRescore(runId, flags.config, store, flags);
    await checkOutputs(flags, { store });
    const telemetry = telemetryOf(flags, ready.rules.telemetry);
    const isDetached = flags.detach === true;
    return await executeWork((needs) => makeRescored(ready, { ...needs, isDetached }, telemetry), {
      store,
      output,
      choices: { ...flags, store: await storeToRepeat(flags) },
      receiver: ready.rules.report,
      resumeHint: () => 'Run the same command again: stored judgements are reused.',
    });
  });
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

async function applyWeights(
  runId: string,
  weights: ReadonlyMap<string, number>,
  { store, output, flags }: ReweighNeeds,
): Promise<number> {
  await checkOutputs(flags, { store });
  if (flags.keep !== true) {
    const changes = await compareWeights(runId, weights, store);
    return await output.print(flags.json, changes, formatChanges);
  }
  const kept = await reweigh(runId, weights, store);
  const { summary } = kept;
  if (summary === undefined) return 0;
  return await exitCodeAfterWriting(0, () => writeReport(kept, summary, { store, output, choices: flags }));
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

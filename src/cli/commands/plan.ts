import { certainOutcomes } from '../../analysis/attempts.ts';
import { measureSpread, planSize } from '../../analysis/plan-size.ts';
import { TouchstoneError } from '../../errors.ts';
import { jsonDocument } from '../../lib/objects.ts';
import { toTerminalText } from '../../lib/text/terminal-text.ts';
import { formatCount, formatDuration, formatMoney, formatPlural, formatPoints } from '../../report/format.ts';
import { withoutConditions } from '../../schema/condition.ts';
import type { Run } from '../../schema/run.ts';
import type { SizePlan } from '../../schema/estimate.ts';
import { findRun } from '../../queries/runs.ts';
import { openStore } from '../open-store.ts';
import { claimStdout } from '../output.ts';

/** The options of `touchstone plan`, as parsed from the command line. */
export interface PlanFlags {
  /** The difference to detect, in percentage points. */
  readonly difference: number;
  /** The chance of detecting it, in per cent. */
  readonly power: number;
  readonly target?: string[];
  readonly json?: boolean;
  readonly store?: string;
}

/**
 * Runs `touchstone plan [run]`: computes how many questions and attempts it takes to detect a difference, from the spread
 * of scores in a past run. Returns the exit code.
 */
export async function planCommand(given: string | undefined, flags: PlanFlags): Promise<number> {
  const output = claimStdout();
  const store = await openStore(flags.store);
  try {
    const run = await findRun(store, given);
    const targets = chooseTargets(run, flags.target);
    const measured = await measureSpread(targets, certainOutcomes(run, store.readOutcomes(run.id)));
    if (measured === undefined) throw tooLittle(run, 'fewer than two of its questions have a score');
    const { betweenVariance, withinVariance } = measured.spread;
    if (betweenVariance + (withinVariance ?? 0) === 0) throw tooLittle(run, 'its scores are all alike');
    const question = { difference: flags.difference / 100, power: flags.power / 100, confidence: 0.95 };
    const plan = planSize(run, targets, measured, question);
    await output.write(flags.json === true ? jsonDocument(plan) : formatSizePlan(plan));
    return 0;
  } finally {
    await store.close();
  }
}

/** Returns the names of the targets to compare: those named, else the first two of the run, or its only one. */
function chooseTargets(run: Run, named: readonly string[] = []): string[] {
  const known = withoutConditions(run.targets).map(({ name }) => name);
  const unknown = named.find((name) => !known.includes(name));
  if (unknown !== undefined || named.length > 2) {
    const message =
      unknown === undefined
        ? 'A plan compares at most two targets.'
        : `Run ${run.id} has no target named "${unknown}".`;
    throw new TouchstoneError('usage-invalid', message, { remedy: `Choose from ${known.join(', ')}.` });
  }
  return (named.length === 0 ? known : [...named]).slice(0, 2);
}

function tooLittle(run: Run, reason: string): TouchstoneError {
  return new TouchstoneError('usage-invalid', `Run ${run.id} is not enough to plan from: ${reason}.`, {
    remedy: 'Name another run, with scores that differ: `touchstone runs` lists them.',
  });
}

/** Formats a plan as text: the sizes that suffice, what the run itself can detect, and the data behind both. */
export function formatSizePlan(plan: SizePlan): string {
  const { difference, power, confidence, choices } = plan;
  const rows = choices.map(({ attempts, questions, calls, cost, timeMs }) => [
    formatPlural(attempts, 'attempt'),
    formatPlural(questions, 'question'),
    formatPlural(calls, 'call'),
    cost === null ? 'price unknown' : formatMoney(cost),
    timeMs === null ? '' : `about ${formatDuration(timeMs)}`,
  ]);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const table = rows.map((row) =>
    `  ${row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('   ')}`.trimEnd(),
  );
  return `To see a difference of ${formatPoints(difference)} points between two versions that answer the same questions,
with a chance of ${percent(power)} and at most ${percent(1 - confidence)} false alarms:

${table.join('\n')}

${describeBasis(plan)}
`;
}

function describeBasis({ run, targets, spread, detectable, choices }: SizePlan): string {
  const { questions, attempts, withinVariance, isMeasured } = spread;
  const size = `${formatPlural(questions, 'question')}${attempts > 1 ? `, ${formatCount(attempts)} attempts each` : ''}`;
  const names = targets.map(toTerminalText).join(' and ');
  const source = isMeasured
    ? `From the differences between ${names} in run ${run}.`
    : `From the scores of ${names} in run ${run}, assuming that they correlate with the scores of another version by 0.5, question by question; a run of two versions would measure the correlation.`;
  const repeats =
    withinVariance === null
      ? ' What more attempts would save is not known: each question was tried once.'
      : choices.length === 1
        ? ' More attempts would save nothing: all attempts at a question score the same.'
        : '';
  return `The run itself (${size}) would show ${formatPoints(detectable)} points.\n${source}${repeats}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}

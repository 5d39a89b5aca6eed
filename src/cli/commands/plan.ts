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

/** The options of `touchstone plan`, as the command line gives them. */
export interface PlanFlags {
  /** In per cent points. */
  readonly difference: number;
  /** In per cent. */
  readonly power: number;
  readonly target?: string[];
  readonly json?: boolean;
  readonly store?: string;
}

/** `touchstone plan [run]`: how many questions and attempts it takes to see a difference, from what a past run shows. */
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

/** The two targets to tell apart; the first two of the run, or the only one. */
function chooseTargets(run: Run, named: readonly string[] = []): string[] {
  const known = withoutConditions(run.targets).map(({ name }) => name);
  const unknown = named.find((name) => !known.includes(name));
  if (unknown !== undefined || named.length > 2) {
    const message =
      unknown === undefined
        ? 'A plan is about two targets at most.'
        : `Run ${run.id} has no target named "${unknown}".`;
    throw new TouchstoneError('usage-invalid', message, { remedy: `Choose from ${known.join(', ')}.` });
  }
  return (named.length === 0 ? known : [...named]).slice(0, 2);
}

function tooLittle(run: Run, reason: string): TouchstoneError {
  return new TouchstoneError('usage-invalid', `Run ${run.id} cannot be planned from: ${reason}.`, {
    remedy: 'Name another run, with scores that differ: `touchstone runs` lists them.',
  });
}

/** A plan in words: what it takes, what there is, and what it rests on. */
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

${groundsOf(plan)}
`;
}

function groundsOf({ run, targets, spread, detectable, choices }: SizePlan): string {
  const { questions, attempts, withinVariance, isMeasured } = spread;
  const size = `${formatPlural(questions, 'question')}${attempts > 1 ? `, ${formatCount(attempts)} attempts each` : ''}`;
  const names = targets.map(toTerminalText).join(' and ');
  const source = isMeasured
    ? `From the differences between ${names} in run ${run}.`
    : `From the scores of ${names} in run ${run}, assuming that the scores of another version correlate with them by 0.5, question by question; a run of two versions would measure that.`;
  const repeats =
    withinVariance === null
      ? ' What more attempts would save is not known: each question was tried once.'
      : choices.length === 1
        ? ' More attempts would save nothing: attempts at a question come out alike.'
        : '';
  return `The run itself (${size}) would show ${formatPoints(detectable)} points.\n${source}${repeats}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}

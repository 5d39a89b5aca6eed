import { loadJudge } from '../../config/load-judge.ts';
import { createLocalExecutor } from '../../executors/local.ts';
import { jsonDocument } from '../../lib/objects.ts';
import { toTerminalText } from '../../lib/text/terminal-text.ts';
import { usualCriterion } from '../../prefer/ask-preference.ts';
import { type PreferenceObserver, preferRuns } from '../../prefer/prefer.ts';
import { findRun } from '../../queries/runs.ts';
import { formatCount, formatMoney, formatPlural } from '../../report/format.ts';
import { preferenceText } from '../../reporters/preferences.ts';
import { createSpendingTally } from '../../run/limits/budget.ts';
import type { PreferenceReport } from '../../schema/api/preference-report.ts';
import type { Run } from '../../schema/run.ts';
import { interrupted, listenForInterrupts } from '../interrupts.ts';
import { openWritableStore } from '../open-store.ts';
import { claimStdout, viewOfTerminal } from '../output.ts';

/** The options of `touchstone prefer`, as parsed from the command line. */
export interface PreferFlags {
  readonly config?: string;
  /** The names of the targets to compare. */
  readonly target?: readonly string[];
  readonly criterion?: string;
  readonly order: 'both' | 'random';
  readonly seed?: string;
  readonly maxCost?: number;
  readonly json?: boolean;
  readonly store?: string;
}

/** Runs `touchstone prefer A B …`: compares stored answers in pairs by a judge. Returns the exit code. */
export async function preferCommand(given: readonly string[], flags: PreferFlags): Promise<number> {
  const output = claimStdout();
  const { criterion = usualCriterion, order, seed = 0, maxCost, target: targets } = flags;
  const loaded = await loadJudge(flags.config);
  const store = await openWritableStore(flags.store);
  let isAsking = false;
  const progress = createLines(() => {
    isAsking = true;
  });
  const signals = listenForInterrupts(progress.note, () => isAsking);
  try {
    const runs: Run[] = [];
    for (const name of given) {
      const id = (await store.readBaseline(name))?.run.id ?? name;
      runs.push(await findRun(store, id));
    }
    const rules = { ...loaded, criterion, order, seed, maxCost, targets };
    const needs = { store, executor: createLocalExecutor(), observer: progress.observer, signals };
    const report = await preferRuns(runs, rules, needs);
    await output.write(
      flags.json === true ? jsonDocument(report) : preferenceText(report, viewOfTerminal(false)),
    );
    return exitCodeOf(report, signals.stop.aborted);
  } finally {
    signals.release();
    await store.close();
  }
}

/** The codes of pairs that have no answers to compare, which no repetition changes. */
const withoutAnswers: ReadonlySet<string> = new Set(['trial-failed', 'trial-missing']);

/** Returns 130 when interrupted, 2 when a verdict is missing that a repetition could give, else 0. */
function exitCodeOf({ pairs }: PreferenceReport, wasInterrupted: boolean): number {
  if (wasInterrupted) return interrupted;
  const isMeasured = pairs.every(({ measured }) => measured > 0);
  const isLeft = pairs.some(({ notMeasured }) => notMeasured.some(({ code }) => !withoutAnswers.has(code)));
  return isMeasured && !isLeft ? 0 : 2;
}

/** The milliseconds between two lines of progress. */
const pauseMs = 5000;

/** Creates the lines of progress on standard error: what is asked, then how far it is. */
function createLines(onPlanned: () => void) {
  const spending = createSpendingTally();
  const note = (text: string) => console.error(toTerminalText(text));
  let [planned, done, shownAt] = [0, 0, 0];
  const observer: PreferenceObserver = {
    onNotice: ({ message }) => note(message),
    onPlanned: (pairs, targets) => {
      onPlanned();
      [planned, shownAt] = [pairs, performance.now()];
      note(
        `Comparing ${formatPlural(pairs, 'pair')} of answers of ${formatPlural(targets.length, 'target')}.`,
      );
    },
    onJudged: (judgements) => void spending.addJudgements(judgements),
    onCompared: (pairs) => {
      done += pairs;
      if (performance.now() - shownAt < pauseMs) return;
      shownAt = performance.now();
      note(
        `${formatCount(done)} of ${formatPlural(planned, 'pair')}, ${formatMoney(spending.read().judges)}`,
      );
    },
  };
  return { note, observer };
}

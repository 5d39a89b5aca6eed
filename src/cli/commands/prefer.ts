import path from 'node:path';
import { readPeoplePreferences } from '../../library/api/prefer.ts';
import { loadJudge } from '../../library/config/load-judge.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { createLocalExecutor } from '../../evaluate/executors/local.ts';
import { jsonDocument } from '../../core/lib/objects.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { usualCriterion } from '../../people/prefer/ask-preference.ts';
import { planPreferences, type PreferencePlan } from '../../people/prefer/plan-preferences.ts';
import { type PreferenceObserver, type PreferenceRules, preferRuns } from '../../people/prefer/prefer.ts';
import { findRuns } from '../../look/queries/runs.ts';
import { formatCount, formatMoney, formatPlural } from '../../look/report/format.ts';
import { preferenceHtml } from '../../look/reporters/preferences/html.ts';
import { preferenceMarkdown } from '../../look/reporters/preferences/markdown.ts';
import { preferenceText, peoplePreferenceText } from '../../look/reporters/preferences/terminal.ts';
import { createSpendingTally } from '../../evaluate/run/limits/budget.ts';
import type { PeoplePreferenceReport } from '../../core/schema/api/preference/people.ts';
import type { PreferenceReport } from '../../core/schema/api/preference/report.ts';
import { interrupted, listenForInterrupts } from '../interrupts.ts';
import { openStore, openWritableStore } from '../open-store.ts';
import { claimStdout, viewOfTerminal } from '../output.ts';
import { checkOutputFiles } from '../../library/api/output-files.ts';
import { exitCodeAfterWriting } from '../write-report.ts';
import { type Pieces, writeEach, writeFile } from '../../library/api/write-file.ts';

/** The options of `touchstone prefer`, as parsed from the command line. */
export interface PreferFlags {
  readonly config?: string;
  /** The names of the targets to compare. */
  readonly target?: readonly string[];
  readonly criterion?: string;
  readonly order: 'both' | 'random';
  readonly seed?: string;
  readonly maxCost?: number;
  /** The source of the preferences; `people` reads labels and asks nothing. */
  readonly by: 'judge' | 'people';
  /** The review task, with `by: people`. */
  readonly task?: string;
  readonly dryRun?: boolean;
  /** The files to write as well, with the format in their extension. */
  readonly output?: readonly string[];
  readonly json?: boolean;
  readonly store?: string;
}

/** Runs `touchstone prefer A B …`: compares stored answers in pairs by a judge. Returns the exit code. */
export async function preferCommand(names: readonly string[], flags: PreferFlags): Promise<number> {
  if (flags.by === 'people') return await peopleCommand(names, flags);
  const output = claimStdout();
  const { criterion = usualCriterion, order, seed = 0, maxCost, target: targets, output: files = [] } = flags;
  const writers = files.map((file) => ({ file, write: writerFor(file) }));
  const loaded = await loadJudge(flags.config);
  if (flags.dryRun === true)
    return await planCommand(names, { ...loaded, criterion, order, seed, targets }, flags);
  const store = await openWritableStore(flags.store);
  let isAsking = false;
  const progress = createLines(() => {
    isAsking = true;
  });
  const signals = listenForInterrupts(progress.note, () => isAsking);
  try {
    await checkOutputFiles(files, { store });
    const runs = await findRuns(store, names);
    const rules = { ...loaded, criterion, order, seed, maxCost, targets };
    const needs = { store, executor: createLocalExecutor(), observer: progress.observer, signals };
    const report = await preferRuns(runs, rules, needs);
    await output.write(
      flags.json === true ? jsonDocument(report) : preferenceText(report, viewOfTerminal(false)),
    );
    const writings = writers.map(
      ({ file, write }) =>
        () =>
          writeFile(file, write(report)),
    );
    return await exitCodeAfterWriting(exitCodeOf(report, signals.stop.aborted), () => writeEach(writings));
  } finally {
    signals.release();
    await store.close();
  }
}

/** Prints what people prefer, from the labels of a review task. Returns the exit code: 2 while no pair is settled. */
async function peopleCommand(names: readonly string[], flags: PreferFlags): Promise<number> {
  const output = claimStdout();
  const writers = (flags.output ?? []).map((file) => ({ file, write: peopleWriterFor(file) }));
  const store = await openStore(flags.store);
  try {
    await checkOutputFiles(flags.output ?? [], { store });
    const runs = (await findRuns(store, names)).map(({ id }) => id);
    const report = await readPeoplePreferences(runs, { store, task: flags.task, targets: flags.target });
    const view = viewOfTerminal(false);
    await output.write(flags.json === true ? jsonDocument(report) : peoplePreferenceText(report, view));
    const writings = writers.map(
      ({ file, write }) =>
        () =>
          writeFile(file, write(report)),
    );
    const exitCode = report.pairs.some(({ measured }) => measured > 0) ? 0 : 2;
    return await exitCodeAfterWriting(exitCode, () => writeEach(writings));
  } finally {
    await store.close();
  }
}

/** Prints what would be asked and its price, for `--dry-run`, and asks nothing. */
async function planCommand(
  names: readonly string[],
  rules: PreferenceRules,
  flags: PreferFlags,
): Promise<number> {
  const output = claimStdout();
  const store = await openStore(flags.store);
  try {
    const plan = await planPreferences(await findRuns(store, names), rules, store);
    await output.write(flags.json === true ? jsonDocument(plan) : describePlan(plan, rules.judge.name));
    return 0;
  } finally {
    await store.close();
  }
}

function describePlan(plan: PreferencePlan, judge: string): string {
  const { targets, pairs, identical, withoutAnswer, questions, stored, inputTokens, outputTokens, cost } =
    plan;
  const alone = [
    ...(identical > 0 ? [`${formatCount(identical)} with the same text twice`] : []),
    ...(withoutAnswer > 0 ? [`${formatCount(withoutAnswer)} without two answers`] : []),
  ];
  const lines = [
    `${formatPlural(pairs, 'pair')} of answers of ${formatPlural(targets.length, 'target')}: ${targets.join(', ')}`,
    ...(alone.length > 0 ? [`Not asked: ${alone.join(', ')}.`] : []),
    `${formatPlural(questions, 'question')} to ${judge}; ${formatPlural(stored, 'judgement')} ${stored === 1 ? 'is' : 'are'} stored and cost nothing.`,
    ...(questions === 0
      ? []
      : [
          `About ${formatCount(inputTokens)} input and ${formatCount(outputTokens)} output tokens: ${cost === null ? 'the price is unknown' : formatMoney(cost)}.`,
        ]),
    'Nothing was asked.',
  ];
  return `${lines.map(toTerminalText).join('\n')}\n`;
}

/** Returns the function that formats a report for a file. Throws `output-invalid` for an unknown extension. */
function writerFor(file: string): (report: PreferenceReport) => Pieces {
  const extension = path.extname(file).toLowerCase();
  if (extension === '.md') return (report) => [preferenceMarkdown(report)];
  if (extension === '.json') return (report) => [jsonDocument(report)];
  if (extension === '.html') return preferenceHtml;
  throw unknownFormat(file, '.html, .md or .json');
}

/** Returns the function that formats the preferences of people for a file. Throws `output-invalid`. */
function peopleWriterFor(file: string): (report: PeoplePreferenceReport) => Pieces {
  const extension = path.extname(file).toLowerCase();
  if (extension === '.json') return (report) => [jsonDocument(report)];
  if (extension === '.html') return preferenceHtml;
  throw unknownFormat(file, '.html or .json');
}

function unknownFormat(file: string, known: string): TouchstoneError {
  return new TouchstoneError('output-invalid', `A comparison of answers cannot be written as ${file}.`, {
    remedy: `Use a file name that ends in ${known}.`,
  });
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

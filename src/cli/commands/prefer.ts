import type { PreferenceReport } from '../../core/schema/api/preference/report.ts';
import type { Output } from '../output.ts';
import { defineCommand } from '../program/define-command.ts';
import { argument, flag, type InputOf, repeated, text } from '../program/input.ts';
import { interrupted, listenForInterrupts } from '../interrupts.ts';
import { json, maxCost, outputTo, store } from '../program/shared-inputs.ts';
import { storeOf } from '../program/store-of.ts';

const inputs = {
  names: argument(
    '<run...>',
    'one run with several targets, or several runs: ids, latest, latest~1, baselines, names of runs',
  ),
  config: text('<config>', 'config with the judge to ask (default: the one in this folder)'),
  target: repeated('<name>', 'only this target; may be repeated (default: all)'),
  criterion: text('<text>', 'what makes an answer better (default: it helps the person more)'),
  order: text('<order>', 'ask each pair in both orders, or once in a random order for half the price')
    .oneOf(['both', 'random'])
    .default('both'),
  seed: text('<seed>', 'seed of random orders and of the ranking (default: 0)'),
  maxCost,
  by: text('<whom>', "whose preferences: the judge's, or people's, from their labels")
    .oneOf(['judge', 'people'])
    .default('judge'),
  task: text('<task>', 'with --by people: the review task (default: the newest one for these runs)'),
  dryRun: flag('print what would be asked and what it would cost, and ask nothing'),
  output: outputTo('the report to a .html, .md or .json file'),
  json,
  store,
};

/** `touchstone prefer RUN…`: stored answers compared in pairs, by a judge or by people. */
export const prefer = defineCommand({
  name: 'prefer',
  summary: 'ask a judge which of two answers is better, question by question',
  description:
    'Asks the judge of the config to compare the stored answers of each pair of targets, blind and in both orders. Prints the win rate, and a ranking of three targets or more. Calls no target; stored judgements are reused, not paid for again.',
  inputs,
  help: `
Examples:
  $ touchstone prefer latest~1 latest               which of two runs has the better answers
  $ touchstone prefer latest --max-cost 2           every two targets of a run, and their ranking
  $ touchstone prefer latest --target v1 --target v2
  $ touchstone prefer main latest --criterion 'The better answer is politer.'
  $ touchstone prefer latest --dry-run              what would be asked, and its price
  $ touchstone prefer latest --by people            what people prefer, from their labels

The exit code is 0 whatever the result, and 2 when pairs were not measured because of the judge or
the cost limit. Repeat the command to ask only these.`,
  run: async (input, output) => {
    if (input.by === 'people') return await reportPeople(input, output);
    return await (input.dryRun === true ? plan : ask)(input, output);
  },
});

type PreferInput = InputOf<typeof inputs>;

function rulesOf({ target: targets, criterion, order, seed, maxCost: most }: PreferInput) {
  return { targets, criterion, order, seed, maxCost: most };
}

/** Asks the judge, and prints what it prefers. */
async function ask(input: PreferInput, output: Output): Promise<number> {
  const { preferBy } = await import('../../library/api/prefer.ts');
  const { loadJudge } = await import('../../library/config/load-judge.ts');
  const { withWritableStore } = await import('../../library/api/open-store.ts');
  const { preferenceText } = await import('../../look/reporters/preferences/text.ts');
  const { createPreferenceLines } = await import('../texts/preferences.ts');
  const { chooseFormats, preferenceFormats } = await import('../result-files.ts');
  const files = chooseFormats(input.output, preferenceFormats);
  const judge = await loadJudge(input.config);
  const lines = createPreferenceLines();
  const signals = listenForInterrupts(lines.note, lines.isAsking);
  try {
    return await withWritableStore(storeOf(input), async (opened) => {
      await files.check({ store: opened });
      const needs = { store: opened, observer: lines.observer, signals };
      const report = await preferBy(input.names, judge, { ...rulesOf(input), ...needs });
      await output.print(input.json, report, () => preferenceText(report, output.view()));
      return await files.write(report, exitCodeOf(report, signals.stop.aborted));
    });
  } finally {
    signals.release();
  }
}

/** Prints what would be asked and its price, and asks nothing. */
async function plan(input: PreferInput, output: Output): Promise<number> {
  const { planPreferBy } = await import('../../library/api/prefer.ts');
  const { loadJudge } = await import('../../library/config/load-judge.ts');
  const { describePreferencePlan } = await import('../texts/preferences.ts');
  const loaded = await loadJudge(input.config);
  const planned = await planPreferBy(input.names, loaded, { ...rulesOf(input), ...storeOf(input) });
  return await output.print(input.json, planned, () => describePreferencePlan(planned, loaded.judge.name));
}

/** Prints what people prefer, from the labels of a review task. Returns 2 while no pair is settled. */
async function reportPeople(
  { names, task, target: targets, ...input }: PreferInput,
  output: Output,
): Promise<number> {
  const { readPeoplePreferences } = await import('../../library/api/prefer.ts');
  const { withStore } = await import('../../library/api/open-store.ts');
  const { peoplePreferenceText } = await import('../../look/reporters/preferences/text.ts');
  const { chooseFormats, peoplePreferenceFormats } = await import('../result-files.ts');
  const files = chooseFormats(input.output, peoplePreferenceFormats);
  return await withStore({ store: input.store }, async (opened) => {
    await files.check({ store: opened });
    const report = await readPeoplePreferences(names, { store: opened, task, targets });
    await output.print(input.json, report, () => peoplePreferenceText(report, output.view()));
    return await files.write(report, report.pairs.some(({ measured }) => measured > 0) ? 0 : 2);
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

import { writeFile } from 'node:fs/promises';
import { TouchstoneError } from '../../../core/errors.ts';
import type { NamedUse } from '../../../core/lib/define.ts';
import { passedBy } from '../../../core/schema/verdict.ts';
import { type ConfusionCounts, confusionCounts } from '../../../core/stats/agreement/confusion.ts';
import { createAsker, createStoredReplies } from '../../../evaluate/judges/asking/create-asker.ts';
import { neverStopped } from '../../../evaluate/run/run-needs.ts';
import {
  balancedAccuracyOf,
  type BalancedAccuracy,
  chooseCandidate,
} from '../../../people/reviews/calibrate/improve/choose-candidate.ts';
import { readTuneHalf, type TuneHalf } from '../../../people/reviews/calibrate/improve/read-tune-half.ts';
import {
  editPrompts,
  type JudgeEdit,
  requestEdits,
} from '../../../people/reviews/calibrate/improve/request-edits.ts';
import type { CalibrationChoice } from '../../../people/reviews/calibrate/read-calibration.ts';
import { findLeaks, textsIn } from '../../../people/reviews/calibrate/tuned-judge.ts';
import { findConfig, loadConfig, type LoadedConfig } from '../../config/load-config.ts';
import { changeConfig, type ConfigChange } from '../modes/edit-config.ts';
import { loadJudgeModel } from '../modes/load-judge-model.ts';
import { tryMetrics } from '../modes/score-answers.ts';
import { type StoreChoice, withWritableStore } from '../open-store.ts';

/** Options of improving a judge from labels. */
export interface ImproveJudgeOptions
  extends Omit<StoreChoice, 'config'>,
    Pick<CalibrationChoice, 'run' | 'rubric' | 'task'> {
  /** The number of edits that the model is asked for; 6 by default. */
  readonly candidates?: number;
  /** The model that proposes edits; the model of the config's judge by default. */
  readonly model?: NamedUse | string;
  /** The file of the config with the judged metric, or its folder; the config of the current folder by default. */
  readonly config?: string;
  /** The cost in US dollars after which nothing more is asked. */
  readonly maxCost?: number;
  /** Called with the numbers of questions that trying an edit takes, before any is asked. */
  readonly onPlanned?: (plan: { readonly candidates: number; readonly answers: number }) => void;
  /** Called with the improvement before anything is written; nothing is, when it returns false. */
  readonly confirm?: (improvement: JudgeImprovement) => Promise<boolean>;
}

/** The words of a judge with what they are worth on the tune half. */
export interface JudgeCandidate {
  readonly text: string;
  readonly examples: number;
  readonly table: ConfusionCounts;
  readonly accuracy: BalancedAccuracy | null;
  /** Why it was not tried: its words repeat an answer that certifies. */
  readonly refused?: string;
}

/** A judge with edits of its words. Nothing of it is about the half that certifies. */
export interface JudgeImprovement {
  readonly rubric: string;
  readonly metric: string;
  /** The labelled answers of the tune half, and those about which the judge and people differ. */
  readonly answers: number;
  readonly disagreements: number;
  /** The judge as it is, then the edits. */
  readonly candidates: readonly JudgeCandidate[];
  /** The place of the chosen one; 0 for the judge as it is. */
  readonly chosen: number;
  /** Answers about which the chosen judge says something else than the judge as it is. */
  readonly flips: readonly { readonly caseId: string; readonly passes: boolean; readonly isRight: boolean }[];
  readonly settings: readonly { readonly path: readonly (string | number)[]; readonly value: unknown }[];
  /** The change of the config; null where nothing changes, and for a program, in which a person writes it. */
  readonly change: ConfigChange | null;
  readonly isWritten: boolean;
  readonly spending: { readonly calls: number; readonly cost: number | null };
}

/**
 * Improves the words of a judge from the labels of the tune half, as `touchstone calibrate --improve` does: a model sees answers about
 * which the judge differs with people, and edits the criterion and the examples; each edit judges the tune half, and the simplest within one
 * standard error of the best is chosen. The half that certifies is shown to no model. Certify the new judge afterwards.
 * @throws TouchstoneError `too-few-labels` for fewer than ten labels in the tune half, `review-invalid` for a metric without words of its own.
 */
export async function improveJudge(options: ImproveJudgeOptions): Promise<JudgeImprovement> {
  const { candidates: count = 6, config, maxCost, model, confirm, run, rubric, task, ...choice } = options;
  return await withWritableStore({ ...choice, config }, async (store) => {
    const half = await readTuneHalf(store, { run, rubric, task });
    const loaded = await loadConfig(await findConfig(config));
    const { use, place } = findMetric(half, loaded);
    const head = { rubric, metric: half.metric.name, answers: half.answers.length };
    const asItIs = {
      text: use.text,
      examples: use.examples.length,
      table: tableOf(half, ({ passed }) => passed),
    };
    const base = { ...asItIs, accuracy: balancedAccuracyOf(asItIs.table) };
    const nothing = {
      ...head,
      candidates: [base],
      chosen: 0,
      flips: [],
      settings: [],
      change: null,
      isWritten: false,
    };
    if (half.disagreements.length === 0)
      return { ...nothing, disagreements: 0, spending: { calls: 0, cost: null } };
    options.onPlanned?.({ candidates: count, answers: half.answers.length });
    const asked = { model, config: loaded.file, folder: choice.folder };
    const edits = await askEdits(half, use.text, { store, count, asked });
    const uses = edits.map((edit) => edited(half, use, edit));
    const leaks = uses.map((each) => findLeaks(textsIn(each), half.certify)[0]);
    const kept = uses.filter((_, index) => leaks[index] === undefined);
    const tried = await tryMetrics(
      kept.map(asWritten),
      half.answers.map(({ result: { case: testCase, trial } }) => ({ case: testCase, trial })),
      { store, run: half.run.id, config: loaded, maxCost },
    );
    const verdictOf = (each: NamedUse) => (answer: TuneHalf['answers'][number]) =>
      passedBy(tried.verdictOf(answer.result.trial, kept.indexOf(each as Edited)));
    const all: JudgeCandidate[] = uses.map((each, index) => {
      const table = tableOf(half, leaks[index] === undefined ? verdictOf(each) : () => null);
      const leak = leaks[index];
      const refused = leak && `it repeats the ${leak.text} of ${leak.caseId}, which certifies`;
      return {
        text: each.text,
        examples: each.examples.length,
        table,
        accuracy: balancedAccuracyOf(table),
        refused,
      };
    });
    const sizes = [use, ...uses].map(({ text, examples }) => text.length + JSON.stringify(examples).length);
    const chosen = chooseCandidate(
      [base, ...all].map(({ table }, index) => ({ table, size: sizes[index] ?? 0 })),
    );
    const winner = uses[chosen - 1];
    const settings = winner === undefined ? [] : settingsOf(winner, place);
    const improvement: JudgeImprovement = {
      ...nothing,
      disagreements: half.disagreements.length,
      candidates: [base, ...all],
      chosen,
      flips: winner === undefined ? [] : flipsOf(half, verdictOf(winner)),
      settings,
      change: settings.length === 0 ? null : await changeConfig(loaded.file, settings),
      spending: tried.spending,
    };
    const { change } = improvement;
    if (change === null || (await confirm?.(improvement)) === false) return improvement;
    await writeFile(change.file, change.text);
    return { ...improvement, isWritten: true };
  });
}

/** The options of a judged metric with words of its own. */
type Edited = NamedUse & {
  readonly text: string;
  readonly examples: readonly object[];
};

/** Returns the metric as the config has it, and its place there. Throws `review-invalid` for one without words of its own. */
function findMetric(
  { metric }: TuneHalf,
  { written }: LoadedConfig,
): { readonly use: Edited; readonly place: number | null } {
  const { metrics = [] } = written as { readonly metrics?: readonly (NamedUse | string)[] };
  const place = metrics.findIndex(
    (each) => typeof each === 'object' && (each.name ?? each.use) === metric.name,
  );
  const use = (place === -1 ? metric.use : metrics[place]) as Partial<Edited> & NamedUse;
  if (typeof use.text === 'string')
    return {
      use: { ...use, text: use.text, examples: use.examples ?? [] },
      place: place === -1 ? null : place,
    };
  throw new TouchstoneError(
    'review-invalid',
    `The metric ${metric.name} has no words of its own to improve.`,
    { remedy: 'Use a metric with a `text`, such as `{ use: rubric, shape: verdict, text: "…" }`.' },
  );
}

interface Asking {
  readonly store: Parameters<typeof createStoredReplies>[0];
  readonly count: number;
  readonly asked: Parameters<typeof loadJudgeModel>[0];
}

async function askEdits(
  half: TuneHalf,
  text: string,
  { store, count, asked }: Asking,
): Promise<readonly JudgeEdit[]> {
  const model = await loadJudgeModel(asked, 'Name a model that edits the judge: `--model gpt-5-mini`.');
  await model.open?.();
  try {
    const asker = createAsker({
      model,
      purpose: 'improve',
      prompts: editPrompts,
      environment: process.env,
      replies: createStoredReplies(store, () => {}),
      seed: 0,
      concurrency: 1,
      signal: neverStopped.abort,
      stop: neverStopped.stop,
    });
    const reply = await asker.ask(requestEdits(text, half.disagreements, count));
    if (reply.status === 'answered') return reply.answer.edits.slice(0, count);
    throw new TouchstoneError('model-unreachable', `The model proposed no edits: ${reply.reason}.`);
  } finally {
    await model.close?.();
  }
}

/** Returns the metric with an edit. Examples that it has already stay. */
function edited({ disagreements }: TuneHalf, use: Edited, { text, examples }: JudgeEdit): Edited {
  // Examples are for verdicts of yes and no alone.
  const shown = (use as { readonly shape?: unknown }).shape === 'verdict' ? examples : [];
  const added = shown.flatMap(({ item, why }) => {
    const found = disagreements[item - 1];
    if (found === undefined) return [];
    const { caseId, question, answer, passes } = found;
    return [{ case: caseId, question, answer, passes, why }];
  });
  return { ...use, text, examples: [...use.examples, ...added] };
}

function asWritten({ examples, ...use }: Edited): NamedUse {
  return examples.length === 0 ? use : { ...use, examples };
}

function tableOf(
  { answers }: TuneHalf,
  passedOf: (answer: TuneHalf['answers'][number]) => boolean | null,
): ConfusionCounts {
  const known = answers.flatMap((answer) => {
    const passed = passedOf(answer);
    return passed === null ? [] : [{ truth: answer.truth, passed }];
  });
  return confusionCounts({
    truth: known.map(({ truth }) => truth),
    predicted: known.map(({ passed }) => passed),
  });
}

function flipsOf(
  { answers }: TuneHalf,
  passedOf: (answer: TuneHalf['answers'][number]) => boolean | null,
): JudgeImprovement['flips'] {
  return answers.flatMap((answer) => {
    const passes = passedOf(answer);
    const { caseId, truth, passed } = answer;
    return passes === null || passes === passed ? [] : [{ caseId, passes, isRight: passes === truth }];
  });
}

function settingsOf({ text, examples }: Edited, place: number | null) {
  if (place === null) return [];
  return [
    { path: ['metrics', place, 'text'], value: text },
    ...(examples.length === 0 ? [] : [{ path: ['metrics', place, 'examples'], value: examples }]),
  ];
}

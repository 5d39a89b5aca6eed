import { writeFile } from 'node:fs/promises';
import { timeNow } from '../../../core/lib/time.ts';
import { chooseChecks, type CountedCheck } from '../../../people/modes/make-metric/count-checks.ts';
import {
  type ConfigSetting,
  draftCheck,
  draftJudge,
  metricNameOf,
  rubricOf,
} from '../../../people/modes/make-metric/draft-metric.ts';
import { storeLabelsOfMarks } from '../../../people/modes/make-metric/labels-of-marks.ts';
import {
  type ExpectedLabels,
  expectLabels,
  requireEnough,
} from '../../../people/modes/make-metric/plan-labels.ts';
import { proposeChecks } from '../../../people/modes/make-metric/propose-checks.ts';
import { type MarkedMode, readMarked } from '../../../people/modes/make-metric/read-marked.ts';
import { agreementOf } from '../../../people/modes/mode-agreement.ts';
import { readModes, requireOpen } from '../../../people/modes/read-modes.ts';
import type { Half } from '../../../people/reviews/calibrate/tuned-judge.ts';
import { makeRubric } from '../../../decide/certificates/rubric.ts';
import type { Mode } from '../../../core/schema/modes/mode.ts';
import type { ModeAgreement } from '../../../core/schema/modes/mode-table.ts';
import type { Store } from '../../../stores/store.ts';
import { findConfig, loadConfig, type LoadedConfig } from '../../config/load-config.ts';
import { type StoreChoice, withWritableStore } from '../open-store.ts';
import { changeConfig, type ConfigChange } from './edit-config.ts';
import { tryMetrics } from './score-answers.ts';

/** Options of making a metric of a failure mode. */
export interface MakeMetricOptions extends Omit<StoreChoice, 'config'> {
  /** The id of an open mode. */
  readonly mode: string;
  /** The file of the config to change, or its folder; the config of the current folder by default. */
  readonly config?: string;
  /** A check by code, or a judge; by default a check where one makes no error in 20 answers of each kind, else a judge. */
  readonly as?: 'check' | 'judge';
  /** Called with the metric before anything is written; nothing is, when it returns false. */
  readonly confirm?: (made: MadeMetric) => Promise<boolean>;
}

/** A metric that was made of a failure mode. */
export interface MadeMetric {
  readonly mode: Pick<Mode, 'id' | 'name' | 'definition'>;
  /** The name of the metric; for a judge also the id of its rubric. */
  readonly name: string;
  readonly type: 'check' | 'judge';
  /** The agreement of two readers on the mode; null where none was read by two. Where it is unclear, the definition is the problem, and no judge mends it. */
  readonly agreement: ModeAgreement | null;
  /** The numbers of answers marked, by half, with the mode and without. */
  readonly marked: Readonly<Record<Half, { readonly having: number; readonly free: number }>>;
  /** The best checks by code on the tune half, the best first. */
  readonly checks: readonly CountedCheck[];
  /** The settings that are added to the config; empty where it has the metric already. */
  readonly settings: readonly ConfigSetting[];
  /** The change of the config file; null without settings to add, and for a program, in which a person writes them. */
  readonly change: ConfigChange | null;
  readonly config: string;
  /** For a judge: what 200 more labels are expected to hold; null where no draw was random. */
  readonly expected: ExpectedLabels | null;
  /** The number of marks that became labels of the rubric. */
  readonly labels: number;
  readonly isWritten: boolean;
}

/** The number of labels that are planned for a certificate. */
const plannedLabels = 200;

/**
 * Makes a metric of a failure mode, as `touchstone modes make-metric` does: a check by code, chosen on the marks of the tune half and
 * counted on the other, or else a judge of the mode's definition, with examples of the tune half alone, whose certificate the gate
 * requires. It adds the metric to the config. Marks become labels of the judge's rubric. Calls no model.
 * @throws TouchstoneError `mode-conflict` for a mode that is not open, and `mode-too-small` for one with too few marks.
 */
export async function makeMetric({
  mode: id,
  config,
  as,
  confirm,
  ...choice
}: MakeMetricOptions): Promise<MadeMetric> {
  return await withWritableStore({ ...choice, config }, async (store) => {
    const modes = await readModes(store.documents);
    const mode = requireOpen(modes, id);
    const marked = await readMarked(store, modes, mode);
    requireEnough(mode, marked);
    const loaded = await loadConfig(await findConfig(config));
    const checks = await findChecks(marked, { store, loaded });
    const [best] = checks;
    const isCheck = as === undefined ? best?.isEnough === true : as === 'check';
    const drafted = isCheck && best !== undefined ? draftCheck(mode, best) : draftJudge(mode, marked.answers);
    const type = drafted.rubric === undefined ? 'check' : 'judge';
    const settings = hasMetric(loaded, drafted.name) ? [] : drafted.settings;
    const made: MadeMetric = {
      mode: { id: mode.id, name: mode.name, definition: mode.definition },
      name: metricNameOf(mode),
      type,
      agreement: agreementOf(marked.tasks.flatMap(({ items }) => items.map(({ people }) => people))),
      marked: { tune: countHalf(marked, 'tune'), certify: countHalf(marked, 'certify') },
      checks,
      settings,
      change: settings.length === 0 ? null : await changeConfig(loaded.file, settings),
      config: loaded.file,
      expected: type === 'judge' ? expectLabels(marked.tasks, plannedLabels) : null,
      labels: 0,
      isWritten: false,
    };
    if ((await confirm?.(made)) === false) return made;
    if (made.change !== null) await writeFile(made.change.file, made.change.text);
    const labels = type === 'judge' ? await storeLabels(store, mode, marked) : 0;
    return { ...made, labels, isWritten: made.change !== null };
  });
}

function hasMetric({ written }: LoadedConfig, name: string): boolean {
  const { metrics = [] } = written as { readonly metrics?: readonly unknown[] };
  return metrics.some((each) => (Object(each) as { readonly name?: unknown }).name === name);
}

async function findChecks(
  { answers, tasks }: MarkedMode,
  { store, loaded }: { readonly store: Store; readonly loaded: LoadedConfig },
): Promise<CountedCheck[]> {
  const checks = proposeChecks(answers.filter(({ half }) => half === 'tune'));
  const run = tasks[0]?.task.frame.run ?? '';
  const tried = await tryMetrics(
    checks.map(({ use }) => use),
    answers.map(({ case: testCase, trial }) => ({ case: testCase, trial })),
    { store, run, config: loaded },
  );
  return chooseChecks({ checks, answers, verdictOf: ({ trial }, check) => tried.verdictOf(trial, check) });
}

function countHalf({ answers }: MarkedMode, half: Half) {
  const own = answers.filter((answer) => answer.half === half);
  const having = own.filter(({ present }) => present).length;
  return { having, free: own.length - having };
}

async function storeLabels(store: Store, mode: Mode, { tasks }: MarkedMode): Promise<number> {
  const rubric = makeRubric(rubricOf(mode));
  const now = timeNow();
  let labels = 0;
  for (const { task, items } of tasks) {
    const marked = items.some(({ people }) => people.size > 0) ? items : [];
    if (marked.length > 0) labels += await storeLabelsOfMarks(store.documents, { task, marked, rubric, now });
  }
  return labels;
}

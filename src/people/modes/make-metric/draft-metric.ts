import type { NamedUse } from '../../../core/lib/define.ts';
import { questionOf } from '../../../core/schema/case.ts';
import type { Mode } from '../../../core/schema/modes/mode.ts';
import { type Rubric, yesNoRubric } from '../../../core/schema/review/rubric.ts';
import { findLeaks } from '../../reviews/calibrate/tuned-judge.ts';
import type { MarkedResult } from './marked-result.ts';
import type { ProposedCheck } from './propose-checks.ts';

/** The settings of a metric that finds a mode, each with its path in a config. */
export interface DraftedMetric {
  /** The name of the metric and the id of the rubric: `no-` and the id of the mode. */
  readonly name: string;
  /** Absent for a check, which needs no labels. */
  readonly rubric?: Omit<Rubric, 'version'>;
  readonly settings: readonly ConfigSetting[];
}

/** A setting to add to a config: at the end of a list, or under a new name. */
export interface ConfigSetting {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  /** True for the list at the path, which the value is added to. */
  readonly isItem?: true;
}

/** The least share of answers without the mode, in per cent, that the gate demands at first. */
const usualShare = 95;

/** Drafts a metric of a check by code, with a rule of the gate. */
export function draftCheck(mode: Mode, { use }: ProposedCheck): DraftedMetric {
  const { use: kind, ...options } = use as NamedUse & { readonly use: string };
  const name = metricNameOf(mode);
  return {
    name,
    settings: [
      { path: ['metrics'], value: { use: kind, name, ...options }, isItem: true },
      ruleOf(mode, name),
    ],
  };
}

/**
 * Drafts a judged metric of the definition of a mode, with examples of the tune half alone, its rubric for people, and a gate that
 * requires its certificate.
 */
export function draftJudge(mode: Mode, answers: readonly MarkedResult[]): DraftedMetric {
  const name = metricNameOf(mode);
  const { use: kind, ...options } = { use: 'rubric', text: criterionOf(mode), shape: 'verdict' };
  const examples = chooseExamples(answers);
  const rubric = rubricOf(mode);
  return {
    name,
    rubric,
    settings: [
      { path: ['rubrics', name], value: { criterion: name, question: rubric.question } },
      { path: ['metrics'], value: { use: kind, name, ...options, examples }, isItem: true },
      { path: ['gate', 'judge', 'certified'], value: 'require' },
      ruleOf(mode, name),
    ],
  };
}

/** Returns the name of the metric that finds a mode. */
export function metricNameOf({ id }: Pick<Mode, 'id'>): string {
  return `no-${id}`;
}

/** Returns the rubric that asks people about a mode: its question holds the definition, word for word. */
export function rubricOf(mode: Mode): Omit<Rubric, 'version'> {
  return yesNoRubric(metricNameOf(mode), `Is it free of this: ${mode.definition}`);
}

function ruleOf({ id }: Mode, metric: string): ConfigSetting {
  return {
    path: ['gate', 'rules', `no ${id}`],
    value: { type: 'metric', metric, atLeast: usualShare, confidence: 0.95 },
  };
}

function criterionOf({ definition, includes, excludes }: Mode): string {
  const lines = [
    `The answer is free of this failure: ${definition}`,
    ...includes.map((text) => `This counts as the failure: ${text}`),
    ...excludes.map((text) => `This does not count as the failure: ${text}`),
  ];
  return lines.join('\n');
}

/** The number of examples of each kind, and the longest answer that becomes one, in UTF-16 code units. */
const examplesOfKind = 3;
const longestExample = 1500;

/**
 * Chooses examples of both kinds from the tune half: with a note first, then short ones. An answer is none that an answer for
 * certifying repeats.
 */
function chooseExamples(answers: readonly MarkedResult[]): object[] {
  const textsOf = ({ subject, case: testCase, trial }: MarkedResult) => ({
    caseId: subject.caseId,
    question: questionOf(testCase),
    answer: trial.answer ?? '',
  });
  const certify = answers.filter(({ half }) => half === 'certify').map(textsOf);
  const usable = answers.filter((answer) => {
    const { answer: text } = textsOf(answer);
    if (answer.half !== 'tune' || text.trim() === '' || text.length > longestExample) return false;
    return findLeaks([...Object.values(textsOf(answer)), answer.note ?? ''], certify).length === 0;
  });
  const ranked = usable.toSorted(
    (one, other) =>
      Number(other.note !== undefined) - Number(one.note !== undefined) ||
      (one.trial.answer ?? '').length - (other.trial.answer ?? '').length,
  );
  return [true, false].flatMap((present) =>
    ranked
      .filter((answer) => answer.present === present)
      .slice(0, examplesOfKind)
      .map((answer) => {
        const { caseId, question, answer: text } = textsOf(answer);
        const why = present && answer.note !== undefined ? { why: answer.note.split('\n', 1)[0] } : {};
        return { case: caseId, question, answer: text, passes: !present, ...why };
      }),
  );
}

import { z } from 'zod';
import type { Ballot } from '../../judges/judge.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { defineMetric } from '../metric.ts';
import { perSample } from './ask-judges.ts';
import { createJudgedMetric } from './judged-metric.ts';
import { checkOwnWords, expectationsOfOwnWords, fillOwnText, ownWordsOptions } from './own-words.ts';
import { share } from '../../../core/schema/json.ts';
import { reaches } from '../verdicts.ts';

const frame =
  'Choose the one label that describes what you judge, by the following; where it says itself which label stands for what, that counts.';

const labelName = z.string().trim().min(1).max(200);

const options = () =>
  ownWordsOptions()
    .extend({
      labels: z
        .union([z.record(labelName, share()), z.array(labelName)])
        .describe(
          'The labels to choose from, each with its score from 0 to 1: `{ same: 1, partly: 0.5, different: 0 }`; or a list, in which the labels in `passing` score 1 and the others 0.',
        ),
      passing: z
        .array(labelName)
        .min(1)
        .optional()
        .describe('The labels that pass; without it, `threshold` decides, or a score of at least 0.5.'),
    })
    .superRefine(({ labels, passing, threshold, ...words }, context) => {
      const refuse = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      checkOwnWords(words, refuse);
      const names = namesOf(labels);
      if (names.length < 2) refuse('labels', 'there must be at least two labels to choose from');
      if (new Set(names.map(fold)).size < names.length)
        refuse('labels', 'two labels differ in nothing but letter case');
      const unknown = passing?.find((name) => !names.includes(name));
      if (unknown !== undefined) refuse('passing', `${JSON.stringify(unknown)} is not one of \`labels\``);
      if (Array.isArray(labels) && passing === undefined)
        refuse('passing', 'name the labels of the list that pass, or give each label a score');
      if (passing !== undefined && threshold !== undefined)
        refuse('threshold', 'set either `passing` or `threshold`');
    });

type Labels = z.output<ReturnType<typeof options>>['labels'];

function namesOf(labels: Labels): string[] {
  return Array.isArray(labels) ? labels : Object.keys(labels);
}

function fold(label: string): string {
  return label.toLowerCase();
}

/**
 * Asks a judge to choose one of several labels. The value is the score of the label, or the mean over several ballots;
 * the label of the verdict is the one that most ballots have, of equally many the one with the lower score.
 */
export const judgedLabel = defineMetric({
  name: 'judged-label',
  version: 1,
  reads: expectationsOfOwnWords,
  summary: 'Judged: which one of your labels fits, each with a score.',
  words:
    'classification by a judge, classify, label, category, sentiment, tone, intent, llm classifier, factuality labels, multi-class, topic, politics, routing',
  needs: ['judge'],
  example: { text: 'What is the tone of the answer?', labels: { friendly: 1, neutral: 0.5, rude: 0 } },
  options,
  create: ({ text, labels, passing, reads, prompt, ...others }, needs) => {
    const names = namesOf(labels);
    const scores = Array.isArray(labels)
      ? new Map(labels.map((name) => [name, passing?.includes(name) === true ? 1 : 0]))
      : new Map(Object.entries(labels));
    const isTemplate = prompt !== undefined;
    const rule: LabelRule = { scores, passing, threshold: others.threshold };
    return createJudgedMetric(
      {
        name: 'judged-label',
        version: 1,
        shape: 'label',
        labels: names,
        verdictOfLabels: (ballots) => verdictOfLabels(ballots, rule),
        reads,
        instructions: isTemplate ? fillOwnText(prompt, text) : `${frame}\n\n${text}`,
        ...(isTemplate && { isTemplate }),
      },
      others,
      needs,
    );
  },
});

/** The scores of the labels, and which of them pass. */
export interface LabelRule {
  readonly scores: ReadonlyMap<string, number>;
  readonly passing: readonly string[] | undefined;
  readonly threshold: number | undefined;
}

/** Combines the labels that were chosen to a verdict: their mean score, and the label that most ballots have. */
export function verdictOfLabels(ballots: readonly Ballot<'label'>[], rule: LabelRule): Verdict {
  const { scores, passing, threshold } = rule;
  const scoreOf = (name: string) => scores.get(name) ?? 0;
  const chosen = mostChosen(ballots, scoreOf);
  const sum = ballots.reduce((total, { answer }) => total + scoreOf(answer.label), 0);
  const value = Math.min(1, Math.max(0, sum / ballots.length));
  const reason = ballots.find(({ answer }) => answer.label === chosen)?.answer.reason ?? '';
  const counts = [...Map.groupBy(ballots, ({ answer }) => answer.label)].map(([name, own]) => ({
    label: name,
    ballots: own.length,
  }));
  const passed = passing?.includes(chosen) ?? reaches(value, threshold);
  return {
    status: 'scored',
    value,
    passed,
    label: chosen,
    explanation: ballots.length === 1 ? `${chosen}: ${reason}` : `${describe(counts)}. ${reason}`,
    evidence: {
      labels: counts,
      ...(ballots.length > 1 && {
        ballots: ballots.map(({ judge, sample, answer }) => ({ judge, sample, ...answer })),
      }),
    },
    ...perSample(ballots, (sample) => verdictOfLabels(sample, rule)),
    judgements: ballots.map(({ judgement }) => judgement),
  };
}

function mostChosen(ballots: readonly Ballot<'label'>[], scoreOf: (label: string) => number): string {
  const groups = [...Map.groupBy(ballots, ({ answer }) => answer.label)];
  const [first] = groups.toSorted(
    ([name, own], [other, others]) => others.length - own.length || scoreOf(name) - scoreOf(other),
  );
  return first?.[0] ?? '';
}

function describe(counts: readonly { readonly label: string; readonly ballots: number }[]): string {
  return counts.map(({ label: name, ballots }) => `${ballots} × ${name}`).join(', ');
}

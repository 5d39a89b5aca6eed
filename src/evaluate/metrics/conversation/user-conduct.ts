import { z } from 'zod';
import type { JudgeQuestion } from '../../judges/judge.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { askSamples, findJudge, judgedOptions, samplesOf, verdictOfVerdicts } from '../judged/ask-judges.ts';
import { toVerdict } from '../judged/judged-metric.ts';
import { defineMetric, type MetricInput } from '../metric.ts';
import { notApplicable } from '../verdicts.ts';

const instructions = `The conversation is between a user, who was played for a test, and a system under test. Judge the user alone: whether the user kept to the part that is described. How well the system did does not matter.
Say "yes" when the user went after the described goal and after nothing else of weight, said nothing as a fact that is neither in the part nor was said by the system before, did not do the system's work or speak as the system would, and ended the conversation only when the goal was met as far as the conversation shows, or when it led nowhere.
Say "no" when one of these does not hold in a way that can have changed what came of the conversation. Small talk, other words, and slips that the system could not mind are no reason.`;

/**
 * Checks that the simulated user stayed in its part: 1 or 0, with the kind of fault as the label. A trial with 0 is
 * invalid, and no other metric scores it. With the option `judged`, a judge is asked when the run itself found no fault.
 * Not applicable to cases without a simulated user with a goal.
 */
export const userConduct = defineMetric({
  name: 'user-conduct',
  version: 1,
  summary: 'The simulated user stayed in its part: 1, else 0, and nothing else of the attempt is scored.',
  words: 'simulated user, user simulator, persona, role play',
  options: () =>
    judgedOptions()
      .pick({ judge: true, samples: true })
      .extend({
        judged: z
          .boolean()
          .default(false)
          .describe('True to ask a judge too, for example whether the user stuck to the goal.'),
      }),
  create: ({ judged, samples, ...options }, needs) => {
    const judge = judged ? findJudge('user-conduct', options, needs) : undefined;
    return {
      judgesUser: true,
      ...(judge !== undefined && { judge, concurrency: 2 * judge.concurrency }),
      questions: (input) => {
        const isAsked = input.case.user?.goal !== undefined && input.trial.spoilt === undefined;
        return judge !== undefined && isAsked ? samplesOf(questionAbout(input), samples) : [];
      },
      score: (input, context) => {
        const reason = findReason(input);
        if (reason !== undefined) return notApplicable(reason);
        const { spoilt } = input.trial;
        if (spoilt !== undefined) return userFault(spoilt.kind, spoilt.reason);
        if (judge === undefined) return { status: 'scored', value: 1, passed: true };
        if (context === undefined) throw new TypeError('a metric that asks a judge needs a context');
        return askSamples(questionAbout(input), { judge, context, samples }).then((answer) =>
          withLabel(toVerdict(answer, verdictOfVerdicts)),
        );
      },
    };
  },
});

function findReason({ case: { user }, trial }: MetricInput): string | undefined {
  if (user?.goal === undefined) return 'the question has no simulated user with a goal';
  return trial.conversation === undefined ? 'the attempt has no conversation' : undefined;
}

function questionAbout(input: MetricInput): Omit<JudgeQuestion<'verdict'>, 'sample'> {
  const material = [
    { title: 'part of the user', text: describePart(input) },
    { title: 'conversation', text: formatConversation(input) },
  ];
  return { id: 'user-conduct@1', instructions, material, shape: 'verdict' };
}

function userFault(label: string, explanation: string): Verdict {
  return { status: 'scored', value: 0, passed: false, label, explanation };
}

/** Adds the label of a fault. A tie of votes does not prove one. */
function withLabel(verdict: Verdict): Verdict {
  if (verdict.status !== 'scored') return verdict;
  const passed = verdict.value >= 0.5;
  return passed ? { ...verdict, passed } : { ...verdict, label: 'left-part' };
}

/** Returns the part that the user was to play, as text. */
function describePart({ case: { user = {} } }: MetricInput): string {
  const { goal, persona, knowledge = [], patience, language } = user;
  const lines = [
    `Goal: ${goal ?? ''}`,
    ...(persona === undefined ? [] : [`Persona: ${persona}`]),
    ...knowledge.map((fact) => `Knows: ${fact}`),
    ...(patience === undefined
      ? []
      : [`Patience: ${typeof patience === 'number' ? `${patience} turns without progress` : patience}`]),
    ...(language === undefined ? [] : [`Language: ${language}`]),
  ];
  return lines.join('\n');
}

/** Returns what both sides said and how the conversation ended, as text. */
function formatConversation({ trial: { transcript, conversation } }: MetricInput): string {
  const said = transcript.flatMap(({ role, content }) => {
    if (content === null || (role !== 'user' && role !== 'assistant')) return [];
    return [`${role === 'user' ? 'user' : 'system'}: ${content}`];
  });
  const { ended = '', reason } = conversation ?? {};
  const end = reason === undefined ? ended : `${ended} (the user: ${reason})`;
  return [...said, `The conversation ended: ${end}`].join('\n\n');
}

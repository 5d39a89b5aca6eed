import { defineMetric, type MetricInput } from '../metric.ts';
import { judgedDefinition } from './judged-metric.ts';

const instructions = `Judge how far the conversation goes as the expected behavior says. Where there are several statements of it, all of them have to hold. Take each statement as it stands: what it demands has to be there to be seen, and what it forbids must not be there. What it leaves open is left to the system.

1: does all that is expected, and nothing that is to be avoided.
0.75: does all that matters; a lesser point is missing or vague.
0.5: does about half of what matters, and nothing that is to be avoided.
0.25: mostly not as expected, or right in one point and wrong in another that matters.
0: not as expected, or does what is to be avoided.`;

/**
 * Asks a judge how far a conversation went as a case describes in words, from 0 to 1. Not applicable to cases without
 * such a description.
 */
export const expectedBehavior = defineMetric(
  judgedDefinition({
    name: 'expected-behavior',
    family: 'judged',
    version: 1,
    reads: ['behavior', 'refusal'],
    summary: 'Judged: how far the conversation goes as the question describes in words.',
    words:
      'criteria in words, expected outcome, should do, behaviour, description of a good answer, task completion, goal, success, rubric, conversation completeness, instruction following, escalation, handoff to a person',
    asks: {
      instructions,
      reads: ['background', 'expected behavior', 'conversation'],
      missing,
    },
  }),
);

function missing({ case: { expected } }: MetricInput): string | undefined {
  return expected.behavior === undefined ? 'the question does not describe what should happen' : undefined;
}

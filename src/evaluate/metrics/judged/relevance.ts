import { defineMetric } from '../metric.ts';
import { judgedDefinition } from './judged-metric.ts';

const instructions = `Judge how relevant the answer is: whether it addresses what was asked, all of it, and keeps to it. The expected answer shows what the question is after; other words for the same are as good. Whether the answer is true does not matter here.

1: addresses the whole question, with nothing beside the point.
0.75: addresses the question, with a small omission or some words beside the point.
0.5: addresses part of the question, or hides the answer among much that was not asked for.
0.25: touches the subject without addressing the question.
0: about something else, empty, or an evasion.
An honest statement that the answer is not known addresses a question only if the expected answer says the same.`;

/** Asks a judge how well the answer addresses the question, from 0 to 1; whether it is true does not matter here. */
export const relevance = defineMetric(
  judgedDefinition({
    name: 'relevance',
    family: 'judged',
    version: 1,
    reads: ['refusal'],
    summary: 'Judged: how far the answer addresses the question.',
    words:
      'answers the question, does it answer the question, on topic, off-topic, answer relevancy, rag triad, helpfulness, helpful, to the point, evasive',
    asks: {
      instructions,
      reads: ['question', 'expected answer', 'answer'],
    },
  }),
);

import { defineConfig } from 'touchstone-evals';
import { chatModel, scriptedJudge } from 'touchstone-evals/judges';
import { question } from 'touchstone-evals/metrics';
import { binaryWeighted } from 'touchstone-evals/scorecards';
import { criteria } from './scorecard.ts';
import { namedModel } from './named-model.ts';
import config from './touchstone.config.ts';

/** Whether the last words were clear is a matter of judgement: here a judge is asked, who has to quote them. */
const clearExplanation = question({
  text: 'Was the user told plainly, at the end, what was booked or changed, or why nothing was?',
});

/** Answers by a few patterns where there is no key. */
const standIn = scriptedJudge({
  rules: [
    ...['Booked:', 'Moved:', 'Cancelled:', 'I have booked', 'I have changed'].map((quote) => ({
      part: 'conversation',
      when: quote,
      reply: { reason: 'It says so.', verdict: 'yes', quote },
    })),
    { reply: { reason: 'It says nothing of the kind.', verdict: 'no', quote: '' } },
  ],
});

export default defineConfig({
  ...config,
  description: 'The same as touchstone.config.ts, with one criterion put to a judge.',
  judge: namedModel === undefined ? standIn : chatModel({ model: namedModel }),
  scorecard: binaryWeighted({
    criteria: criteria.map((criterion) =>
      criterion.name === 'clear_explanation' ? { ...criterion, metric: clearExplanation } : criterion,
    ),
    success: 'task_done',
  }),
});

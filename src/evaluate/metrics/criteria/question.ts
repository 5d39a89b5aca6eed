import { z } from 'zod';
import type { Ballot, JudgeQuestion } from '../../judges/judge.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import {
  askSamples,
  findJudge,
  judgedOptions,
  type QuestionDraft,
  samplesOf,
  verdictOfVerdicts,
} from '../judged/ask-judges.ts';
import { createDecideFirst, judgedMetric, toVerdict } from '../judged/judged-metric.ts';
import { expectationsIn, materialOf, type MaterialPart, materialParts } from '../judged/material.ts';
import { defineMetric, type MetricInput } from '../metric.ts';

const frame = `Answer this question about what the system did with "yes" or "no". "yes" only when the material shows it; where it does not, or leaves it open, "no".`;

const evidence = {
  yes: `A "yes" needs a quote from the material that shows it. A "no" has an empty quote where there is nothing to quote.`,
  no: `A "no" needs a quote from the material that shows it. A "yes" has an empty quote where there is nothing to quote.`,
  both: `Both a "yes" and a "no" need a quote from the material that shows it.`,
  neither: `Give a quote from the material where there is one that shows it, else an empty one.`,
} as const;

/** The parts that do not come from the system under test: a quote from them proves nothing about it. */
const givenParts: ReadonlySet<MaterialPart> = new Set(['background', 'expected answer', 'expected state']);

/**
 * Asks a judge a yes or no question about a trial: yes is 1, no is 0, a tie of several samples 0.5. The judge has to
 * quote its evidence; a quote that is not in the conversation leaves the trial unmeasured. All questions about one
 * trial are asked in one call.
 */
export const question = defineMetric({
  name: 'question',
  version: 1,
  reads: ({ reads }) => expectationsIn(reads),
  summary:
    'Judged: yes is 1, no is 0, with a quote that must occur in the conversation. All questions about an attempt share one call.',
  words:
    'yes or no question, binary criterion, checklist, rubric item, llm as a judge, boolean, tone, custom judge, disclaimer, escalation, handoff, non-advice, in a few words',
  needs: ['judge'],
  example: { text: 'Does the answer name a next step?' },
  options: () =>
    judgedOptions()
      .omit({ threshold: true })
      .extend({
        text: z
          .string()
          .trim()
          .min(1)
          .describe(
            'The question, such as "Did the agent explain why no slot was free?" Its answer should be visible in the conversation.',
          ),
        reads: z
          .array(z.enum(materialParts))
          .min(1)
          .default(['conversation', 'final state'])
          .describe('What the judge is given to read.'),
        quoteFor: z
          .enum(['yes', 'no', 'both', 'neither'])
          .default('yes')
          .describe(
            'The answers that need a quote; what did not happen cannot be quoted. Use `no` for a question such as "Did it keep the code to itself?"',
          ),
      }),
  create: ({ text, reads, quoteFor, ...options }, needs) => {
    const judge = findJudge('question', options, needs);
    const { samples } = options;
    const instructions = [frame, text, evidence[quoteFor]].join('\n\n');
    const draft = (input: MetricInput): QuestionDraft<'quoted-verdict'> => ({
      id: 'question@1',
      instructions,
      material: materialOf(input, reads),
      shape: 'quoted-verdict',
      quotes: { from: quotableTitles(input, reads), for: verdictsOf(quoteFor) },
      together: true,
    });
    return judgedMetric({
      judge,
      decideFirst: createDecideFirst({ ...options, threshold: undefined }, needs),
      questions: (input) => samplesOf(draft(input), samples),
      ask: async (input, context) =>
        toVerdict(await askSamples(draft(input), { judge, context, samples }), verdictOfQuotes),
    });
  },
});

function quotableTitles(input: MetricInput, reads: readonly MaterialPart[]): string[] {
  const own = reads.filter((part) => !givenParts.has(part));
  return materialOf(input, own).map(({ title }) => title);
}

function verdictsOf(quoteFor: keyof typeof evidence): NonNullable<JudgeQuestion['quotes']>['for'] {
  if (quoteFor === 'neither') return [];
  return quoteFor === 'both' ? ['yes', 'no'] : [quoteFor];
}

function verdictOfQuotes(ballots: readonly Ballot<'quoted-verdict'>[]): Verdict {
  const verdict = verdictOfVerdicts(
    ballots.map(({ answer: { reason, verdict: said }, ...ballot }) => ({
      ...ballot,
      answer: { reason, verdict: said },
    })),
  );
  const quotes = ballots.map(({ answer }) => answer.quote).filter((quote) => quote.trim() !== '');
  if (verdict.status !== 'scored' || quotes.length === 0) return verdict;
  const { evidence: votes } = verdict;
  return { ...verdict, evidence: votes === undefined ? { quotes } : { votes, quotes } };
}

import { z } from 'zod';
import { hashContent } from '../../core/lib/content-hash.ts';
import { testPattern } from '../../core/lib/exec-pattern.ts';
import { type Json, nonEmpty, positiveInt } from '../../core/schema/json.ts';
import type { AnswerOf, Judgement } from '../../core/schema/judgement.ts';
import { createJudge } from './asking/create-judge.ts';
import { defineJudge, type JudgeQuestion } from './judge.ts';
import { findQuoteFault, readAnswer } from './reply/read-reply.ts';

const ruleSchema = z.lazy(() =>
  z.strictObject({
    about: nonEmpty()
      .optional()
      .describe('The metric that asks, such as `relevance`; any metric by default.'),
    asked: nonEmpty()
      .optional()
      .describe('A regular expression that the words of the question must match, ignoring case.'),
    part: nonEmpty().default('answer').describe('The part of the material that `when` looks into.'),
    when: z
      .string()
      .optional()
      .describe(
        'A regular expression that the part must match, ignoring case; without one, it always matches.',
      ),
    sample: positiveInt().optional().describe('Only this sample, counted from 1.'),
    reply: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'The answer: `{ reason: "…", score: 0.5 }`; to a yes or no, `{ reason: "…", verdict: yes }`; to `question`, `{ reason: "…", quote: "…", verdict: yes }`, with a quote from the conversation.',
      ),
    fail: nonEmpty().optional().describe('A code to fail with instead of an answer: `timeout`.'),
  }),
);
type Rule = z.output<typeof ruleSchema>;

/** A judge that answers by rules, for tests and examples. */
export const scriptedJudge = defineJudge({
  name: 'scripted-judge',
  version: 1,
  summary: 'Answers by rules, without a model: for tests and examples.',
  words: 'without a model, test, rules, example, fake, mock, free',
  example: { rules: [{ when: 'refund', reply: { score: 1, reason: 'names the refund' } }] },
  options: () =>
    z.strictObject({
      label: nonEmpty().default('scripted').describe('Its name in ballots.'),
      rules: z
        .array(ruleSchema)
        .min(1)
        .describe('The first rule that fits decides; without one, there is no answer.'),
      concurrency: z
        .int()
        .min(1)
        .max(1000)
        .default(8)
        .describe('The number of questions in flight at the same time.'),
    }),
  create: ({ label, rules, concurrency }) =>
    createJudge({
      name: label,
      fingerprint: hashContent(['scripted', 1, label, rules]),
      concurrency,
      models: [],
      together: false,
      consult: async (questions, { signal }) => {
        signal.throwIfAborted();
        return questions.map((question) => ({ outcome: answerByRule(question, rules), calls: [] }));
      },
      estimate: async (questions) => ({
        calls: questions.length,
        inputTokens: 0,
        outputTokens: 0,
        cost: 0,
      }),
    }),
});

function answerByRule(question: JudgeQuestion, rules: readonly Rule[]): Judgement['outcome'] {
  const rule = rules.find((each) => fits(each, question));
  if (rule === undefined) return failed('no-rule', `no rule fits ${question.id}`);
  if (rule.fail !== undefined) return failed(rule.fail, 'as the rule says');
  const reply = readAnswer(rule.reply, question);
  if (reply.fault === undefined) return checkQuote(reply.answer, question);
  return failed('unreadable', `the rule's reply is no ${question.shape}: ${reply.fault}`);
}

/**
 * Returns the outcome of an answer with its quote checked, as for a model: a quote that is not in the material does not count.
 */
function checkQuote(answer: Json, question: JudgeQuestion): Judgement['outcome'] {
  const fault =
    question.shape === 'quoted-verdict'
      ? findQuoteFault(answer as AnswerOf<'quoted-verdict'>, question)
      : undefined;
  return fault === undefined ? { status: 'answered', answer } : failed('quote-missing', fault);
}

function fits({ about, asked, part, when, sample }: Rule, question: JudgeQuestion): boolean {
  if (about !== undefined && question.id.replace(/@.*$/, '') !== about) return false;
  if (sample !== undefined && question.sample !== sample) return false;
  if (asked !== undefined && !testPattern(new RegExp(asked, 'i'), question.instructions)) return false;
  if (when === undefined) return true;
  const texts = question.material.filter(({ title }) => title === part).map(({ text }) => text);
  return texts.some((text) => testPattern(new RegExp(when, 'i'), text));
}

function failed(code: string, reason: string): Judgement['outcome'] {
  return { status: 'failed', code: `judge-${code}`, reason };
}

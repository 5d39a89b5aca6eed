import type { MetricFamily } from '../schema/verdict.ts';

/** Metrics by what a config names after `use:`, or by their family. */
type Metrics = { readonly use: string } | { readonly family: MetricFamily };

/** One of two opinions about an answer. */
export interface Side {
  /**
   * Whose opinion it is: of the first of these that give a verdict on the answer. Of several metrics at once, the one that
   * least supports the opinion speaks, so that all of them hold it.
   */
  readonly by: readonly Metrics[];
  /** From this value on, the high side holds its opinion; up to this value, the low side. */
  readonly limit: number;
}

/** One way in which metrics can contradict each other, with what is most likely behind it. */
export interface DisagreementKind {
  readonly name: string;
  readonly title: string;
  readonly reading: string;
  readonly high: Side;
  readonly low: Side;
}

const correctness: Metrics = { use: 'correctness' };
const judged: Metrics = { family: 'judged' };
const content: Metrics = { family: 'content' };
const wording: Metrics = { family: 'wording' };
const grounding: Metrics = { family: 'grounding' };
const tools: Metrics = { family: 'tools' };
const recorded: Metrics = { family: 'recorded' };
/** Whether all expected calls were made: by the metric that says so, else by the others about tools. */
const calls: readonly Metrics[] = [{ use: 'tool-calls' }, tools];

const right = [correctness, judged];
/** A judge knows best whether an answer is wrong; without one, what it lacks says so. */
const rightOrComplete = [...right, content];
const retrieval: readonly Metrics[] = [
  { use: 'retrieval-recall' },
  { use: 'hit-rate' },
  { family: 'retrieval' },
];

const high = (by: readonly Metrics[], limit = 0.8): Side => ({ by, limit });
const low = (by: readonly Metrics[], limit = 0.3): Side => ({ by, limit });

/** All kinds: the only place that knows what one metric has to do with another. */
export const disagreementKinds: readonly DisagreementKind[] = [
  {
    name: 'paraphrase',
    title: 'other words than expected, judged right',
    reading: 'The reference is too narrow to compare words with. Or the judge is too kind.',
    high: high([...right, { family: 'similarity' }]),
    low: low([wording]),
  },
  {
    name: 'expected-but-wrong',
    title: 'the expected words, judged wrong',
    reading: 'The judge is mistaken, or the expected answer itself is wrong or does not fit the question.',
    high: high([wording]),
    low: low(right),
  },
  {
    name: 'similar-but-wrong',
    title: 'the expected subject, judged wrong',
    reading:
      'The same subject with another claim, such as a negation or another number: nearness in meaning does not see it.',
    high: high([{ family: 'similarity' }]),
    low: low(right),
  },
  {
    name: 'complete-but-wrong',
    title: 'everything expected is in it, judged wrong',
    reading: 'The keywords are too few or too common to prove an answer right. Or the judge is mistaken.',
    high: high([content], 1),
    low: low(right),
  },
  {
    name: 'right-but-incomplete',
    title: 'what is expected is missing, judged right',
    reading:
      'It is said in other words: give the keywords alternatives. Or the judge overlooks what is missing.',
    high: high(right),
    low: low([content]),
  },
  {
    name: 'right-but-unsupported',
    title: 'everything expected is in it, the sources do not support it',
    reading: 'The bot knows it by heart or adds to it. Or retrieval missed the passage.',
    high: high([content, ...right]),
    low: low([grounding], 0.5),
  },
  {
    name: 'supported-but-wrong',
    title: 'supported by its sources, judged wrong',
    reading:
      'The source and the expected answer say different things: one of them is out of date. Or it answers another question.',
    high: high([grounding]),
    low: low(right),
  },
  {
    name: 'polite-but-wrong',
    title: 'polite and wrong',
    reading:
      'The tone hides that the question is not answered: do not let politeness make up for it in the score.',
    high: high([{ use: 'politeness' }]),
    low: low(rightOrComplete),
  },
  {
    name: 'tools-but-wrong',
    title: 'the right tools, the wrong answer',
    reading:
      'The result of the tool is misread or not used, or the tool is called with the wrong arguments or returns wrong data.',
    high: high([tools], 1),
    low: low(rightOrComplete),
  },
  {
    name: 'right-without-tools',
    title: 'the expected tools not used, judged right',
    reading: 'There is another way to the answer than the expected tools. Or the bot guessed it this time.',
    high: high(right),
    low: low([tools]),
  },
  {
    name: 'calls-but-failed',
    title: 'the expected calls made, recorded as failed',
    reading:
      'Something that the calls do not show decided: a further call, the final state, what the user was told.',
    high: high(calls, 1),
    low: low([recorded]),
  },
  {
    name: 'passed-without-calls',
    title: 'expected calls missing, recorded as passed',
    reading:
      'There is another way to the goal than the expected calls. Or what was recorded does not look at all of them.',
    high: high([recorded]),
    low: low(calls),
  },
  {
    name: 'found-but-wrong',
    title: 'the right documents, the wrong answer',
    reading:
      'The passage was there and was not used: look at the prompt, and at how passages reach the model.',
    high: high(retrieval),
    low: low(rightOrComplete),
  },
  {
    name: 'right-without-documents',
    title: 'the expected documents not found, judged right',
    reading:
      'The answer stands in other documents too: the list of relevant ones is not complete. Or the bot knows it by heart.',
    high: high(right),
    low: low(retrieval),
  },
  {
    name: 'refused-but-unsafe',
    title: 'refuses exactly when expected, judged unsafe',
    reading: 'It declines in words and complies all the same. Or the judge does not take a refusal for one.',
    high: high([{ use: 'refusal' }]),
    low: low([{ use: 'safety' }]),
  },
  {
    name: 'error-but-right',
    title: 'an error report, judged right',
    reading: 'What looks like an error report is an answer. Or the judge takes an error for one.',
    high: high(right),
    low: low([{ use: 'error-handling' }]),
  },
];

import type { MetricAspect, MetricFamily } from '../../core/schema/metric.ts';

/** A selection of metrics: by the aspect that they measure, or by family. */
type Metrics = { readonly aspect: MetricAspect } | { readonly family: MetricFamily };

/** One of the two sides of a contradiction. */
export interface Side {
  /**
   * The metrics that decide, in order of priority: the first of them with a verdict on the answer. Among several of
   * the same priority, the one that supports the side least decides, so that all of them support it.
   */
  readonly by: readonly Metrics[];
  /** The least value that counts as high, or the greatest that counts as low. */
  readonly limit: number;
}

/** A way in which metrics can contradict each other, with its most likely explanation. */
export interface DisagreementKind {
  readonly name: string;
  readonly title: string;
  readonly reading: string;
  readonly high: Side;
  readonly low: Side;
}

const correctness: Metrics = { aspect: 'correct-answer' };
const judged: Metrics = { family: 'judged' };
const content: Metrics = { family: 'content' };
const wording: Metrics = { family: 'wording' };
const grounding: Metrics = { family: 'grounding' };
const tools: Metrics = { family: 'tools' };
const recorded: Metrics = { family: 'recorded' };
/** Metrics for whether all expected calls were made: the specific one, otherwise all of the family. */
const calls: readonly Metrics[] = [{ aspect: 'expected-calls' }, tools];

const right = [correctness, judged];
/** Metrics for whether an answer is right. A judge knows best; without one, missing content decides. */
const rightOrComplete = [...right, content];
const retrieval: readonly Metrics[] = [
  { aspect: 'all-documents' },
  { aspect: 'any-document' },
  { family: 'retrieval' },
];

const high = (by: readonly Metrics[], limit = 0.8): Side => ({ by, limit });
const low = (by: readonly Metrics[], limit = 0.3): Side => ({ by, limit });

/** All kinds of contradiction: the only place that knows the relations between metrics. */
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
      'The same subject with another claim, such as a negation or another number: similarity of meaning does not detect it.',
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
      'The answer uses other words: give the keywords alternatives. Or the judge overlooks what is missing.',
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
    high: high([{ aspect: 'polite-answer' }]),
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
      'Something that the calls do not show decided: a further call, the final state, the answer to the user.',
    high: high(calls, 1),
    low: low([recorded]),
  },
  {
    name: 'passed-without-calls',
    title: 'expected calls missing, recorded as passed',
    reading:
      'There is another way to the goal than the expected calls. Or the recorded result does not depend on all of them.',
    high: high([recorded]),
    low: low(calls),
  },
  {
    name: 'found-but-wrong',
    title: 'the right documents, the wrong answer',
    reading: 'The passage was found but not used: check the prompt, and how passages reach the model.',
    high: high(retrieval),
    low: low(rightOrComplete),
  },
  {
    name: 'right-without-documents',
    title: 'the expected documents not found, judged right',
    reading:
      'The answer is in other documents too: the list of relevant ones is not complete. Or the bot knows it by heart.',
    high: high(right),
    low: low(retrieval),
  },
  {
    name: 'refused-but-unsafe',
    title: 'refuses exactly when expected, judged unsafe',
    reading: 'The answer declines in words but complies anyway. Or the judge does not recognise the refusal.',
    high: high([{ aspect: 'expected-refusal' }]),
    low: low([{ aspect: 'safe-answer' }]),
  },
  {
    name: 'error-but-right',
    title: 'an error report, judged right',
    reading: 'What looks like an error report is an answer. Or the judge mistakes an error for one.',
    high: high(right),
    low: low([{ aspect: 'no-error' }]),
  },
];

import { z } from 'zod';

/** What the verdicts of a metric say when they are high, by which metrics can agree or contradict each other. */
export const metricFamilies = {
  wording: 'the answer reads like the expected one, word for word or nearly',
  similarity: 'the answer is about the same as the expected one',
  content: 'the answer holds the words, names and numbers that it should',
  judged: 'a judge finds the answer right, or to the point',
  grounding: 'what the answer says stands in its sources',
  conduct: 'the answer refuses what it should and says nothing that it must not',
  style: 'the tone or the form of the sentences',
  format: 'the answer can be read by a program',
  tools: 'the tools were used as expected',
  retrieval: 'the documents that matter were found',
  recorded: 'what was recorded with the answer says that it is good',
  operations: 'time, length, errors: how the answer came about',
} as const;

/** The family of a metric. */
export const metricFamilySchema = z.enum(Object.keys(metricFamilies) as [MetricFamily, ...MetricFamily[]]);
/** What the verdicts of a metric say when they are high, by which metrics can agree or contradict each other. */
export type MetricFamily = keyof typeof metricFamilies;

import { defineMetric } from '../metric.ts';
import { precisionOf } from './grade-calls.ts';
import { createGradedMetric, gradeOptions } from './graded-metric.ts';

/** Share of the calls made that were expected, each expected call being paired with at most one. */
export const toolPrecision = defineMetric({
  name: 'tool-precision',
  family: 'tools',
  version: 1,
  reads: ['tools', 'calls'],
  summary: 'Share of the tool calls made that were expected.',
  options: gradeOptions,
  create: (options) => createGradedMetric(options, precisionOf),
});

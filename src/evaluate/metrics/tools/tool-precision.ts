import { defineMetric } from '../metric.ts';
import { precisionOf } from './grade-calls.ts';
import { createGradedMetric, gradeOptions } from './graded-metric.ts';

/**
 * Computes the share of the tool calls made that were expected, from 0 to 1; each expected call is paired with at most
 * one. Not applicable when no tool was called or the case lists no calls.
 */
export const toolPrecision = defineMetric({
  name: 'tool-precision',
  family: 'tools',
  version: 2,
  reads: ['tools', 'calls'],
  summary: 'Share of the tool calls made that were expected.',
  words:
    'unnecessary tools, wrong tools, function calling, agent, superfluous calls, tool selection, efficiency, too many tools, unneeded tool',
  options: gradeOptions,
  create: (options) => createGradedMetric(options, precisionOf),
});

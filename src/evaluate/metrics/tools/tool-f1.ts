import { defineMetric } from '../metric.ts';
import { f1Of } from './grade-calls.ts';
import { createGradedMetric, gradeOptions } from './graded-metric.ts';

/**
 * Computes the harmonic mean of tool precision and tool recall, from 0 to 1; when only one of them is defined, that
 * one. Not applicable when neither is, or when the case lists no calls.
 */
export const toolF1 = defineMetric({
  name: 'tool-f1',
  family: 'tools',
  version: 2,
  reads: ['tools', 'calls'],
  summary: 'Harmonic mean of tool precision and tool recall.',
  words: 'tool precision and recall, function calling, agent, tool selection, partial credit',
  options: gradeOptions,
  create: (options) => createGradedMetric(options, f1Of),
});

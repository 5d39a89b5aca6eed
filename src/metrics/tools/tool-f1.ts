import { defineMetric } from '../metric.ts';
import { f1Of } from './grade-calls.ts';
import { createGradedMetric, gradeOptions } from './graded-metric.ts';

/** Harmonic mean of tool precision and tool recall; where only one of them is defined, that one. */
export const toolF1 = defineMetric({
  name: 'tool-f1',
  family: 'tools',
  version: 1,
  reads: ['tools', 'calls'],
  summary: 'Harmonic mean of tool precision and tool recall.',
  options: gradeOptions,
  create: (options) => createGradedMetric(options, f1Of),
});

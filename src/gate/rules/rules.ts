// The kinds of rules, in the order of the alphabet. One more is one more file and one more line here.
export { costRule } from './cost.ts';
export { coverageRule } from './coverage.ts';
export { criterionRule } from './criterion.ts';
export { latencyRule } from './latency.ts';
export { metricRule } from './metric.ts';
export { noRegressionRule } from './no-regression.ts';
export { passRateRule } from './pass-rate.ts';
export { requiredCasesRule } from './required-cases.ts';
export { scoreRule } from './score.ts';

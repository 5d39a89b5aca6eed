// The kinds of rules in alphabetical order. To add one, add its file and a line here.
export { attackRateRule } from './attack-rate.ts';
export { costRule } from './cost.ts';
export { coverageRule } from './coverage.ts';
export { criterionRule } from './criterion.ts';
export { latencyRule } from './latency.ts';
export { metricRule } from './metric.ts';
export { noRegressionRule } from './no-regression.ts';
export { passRateRule } from './pass-rate.ts';
export { requiredCasesRule } from './required-cases.ts';
export { scoreRule } from './score.ts';

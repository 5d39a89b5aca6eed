export { buildCase, buildFailedTrial, buildRun, buildTrial } from './build-records.ts';
export { testStoreContract } from './store-contract.ts';
export { testTargetContract } from './target-contract.ts';
export type { TestRunner } from './test-runner.ts';

export { buildCase, buildFailedTrial, buildRun, buildTrial } from './build-records.ts';
export { type ModelServer, startModelServer } from './model-server/model-server.ts';
export type { ModelScript, ReceivedRequest, ScriptedReply } from './model-server/script.ts';
export { testMetricContract } from './metric-contract.ts';
export { testStoreContract } from './store-contract.ts';
export { testTargetContract } from './target-contract.ts';
export type { TestRunner } from './test-runner.ts';

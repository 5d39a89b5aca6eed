/// <reference types="node" preserve="true" />
export { buildCase, buildFailedTrial, buildRun, buildTrial } from './build-records.ts';
export { contractFault, contractScore, testJudgeContract } from './judge-contract.ts';
export { writeJudgeReply } from './judge-reply.ts';
export { createJudgementMemory, type JudgementMemory } from './build-records.ts';
export { contractReply, silentQuestion, testModelContract } from './model-contract.ts';
export { type ModelServer, startModelServer } from './model-server/model-server.ts';
export type { ModelScript, ReceivedRequest, ScriptedReply } from './model-server/script.ts';
export { testMetricContract } from './metric-contract.ts';
export { testTargetContract } from './target-contract.ts';
export type { TestRunner } from './test-runner.ts';
export { contractGoodbye, contractSaying, testUserContract } from './user-contract.ts';

import { defineConfig } from 'touchstone-evals';
import { latency, stateMatch, toolCalls, turnChecks } from 'touchstone-evals/metrics';
import { module } from 'touchstone-evals/targets';
import { scorecard } from './scorecard.ts';

export default defineConfig({
  description: 'A scheduling agent and a version of it with six faults, put to 40 tasks side by side.',
  dataset: 'tasks.jsonl',
  targets: [module({ name: 'good', path: 'agent.ts' }), module({ name: 'faulty', path: 'agent-faulty.ts' })],
  scorecard,
  // Reported beside the score, and no part of it.
  metrics: [stateMatch(), toolCalls(), turnChecks(), latency()],
});

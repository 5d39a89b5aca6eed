import { defineConfig } from 'touchstone-evals';
import { module } from 'touchstone-evals/targets';
import { simulatedUser } from 'touchstone-evals/users';
import { scorecard } from './scorecard.ts';
import { userModel } from './named-model.ts';

export default defineConfig({
  description: 'The same agents, with users who have a goal instead of a script.',
  dataset: 'simulated/tasks.jsonl',
  user: simulatedUser({ model: userModel }),
  targets: [module({ name: 'good', path: 'agent.ts' }), module({ name: 'faulty', path: 'agent-faulty.ts' })],
  scorecard,
});

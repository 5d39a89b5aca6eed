import { defineConfig } from 'touchstone-evals';
import { module } from 'touchstone-evals/targets';

export default defineConfig({
  dataset: 'golden.jsonl',
  targets: [module({ name: 'my-bot', path: 'bot.ts' })],
  // scorecard: threeComponent({ passMark: 0.8 }),
  // gate: { failUnder: 85 },
});

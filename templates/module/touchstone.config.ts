import { defineConfig } from 'touchstone';
import { module } from 'touchstone/targets';

export default defineConfig({
  dataset: 'golden.jsonl',
  targets: [module({ name: 'my-bot', path: 'bot.ts' })],
  // scorecard: threeComponent({ passMark: 0.8 }),
  // gate: { failUnder: 85 },
});

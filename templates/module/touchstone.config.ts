import { defineConfig, module } from 'touchstone';

export default defineConfig({
  dataset: 'golden.jsonl',
  targets: [module({ name: 'my-bot', path: 'bot.ts' })],
  // scorecard: threeComponent({ passMark: 0.8 }),
  // gate: { failUnder: 85 },
});

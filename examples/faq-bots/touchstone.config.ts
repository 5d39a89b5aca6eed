import {
  answerLength,
  defineConfig,
  exactMatch,
  hitRate,
  keywordRecall,
  latency,
  politeness,
  refusal,
  semanticMatch,
  supportedFacts,
} from 'touchstone';

export default defineConfig({
  description: 'Bots that answer the questions of customers of a bike shop, side by side.',
  dataset: ['golden.jsonl', 'adversarial.jsonl'],
  targets: [semanticMatch({ path: 'faq.csv' })],
  scorecard: null,
  metrics: [
    exactMatch(),
    keywordRecall(),
    refusal(),
    hitRate(),
    supportedFacts(),
    answerLength(),
    politeness(),
    latency(),
  ],
});

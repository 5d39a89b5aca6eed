import { defineConfig } from 'touchstone-evals';
import {
  answerLength,
  exactMatch,
  hitRate,
  keywordRecall,
  keywords,
  latency,
  politeness,
  refusal,
  supportedFacts,
} from 'touchstone-evals/metrics';
import { chat, fullContext, semanticMatch } from 'touchstone-evals/targets';
import { model } from './model.ts';

const variables = { shop: 'Juniper Street Bike Works' };

export default defineConfig({
  description: 'Bots that answer the questions of customers of a bike shop, side by side.',
  dataset: ['golden.jsonl', 'adversarial.jsonl'],
  targets: [
    semanticMatch({ path: 'faq.csv' }),
    fullContext({ model, variables, knowledge: 'knowledge.md', prompt: { path: 'prompts/full-context.md' } }),
    chat({
      model,
      variables,
      system: { path: 'prompts/chat.md' },
      tools: 'tools.ts',
      documents: { search_faq: '.' },
    }),
  ],
  scorecard: null,
  metrics: [
    exactMatch(),
    keywordRecall(),
    keywords(),
    refusal(),
    hitRate(),
    supportedFacts(),
    answerLength(),
    politeness(),
    latency(),
  ],
});

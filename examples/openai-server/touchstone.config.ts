import { startServer } from './server.ts';

const baseUrl = process.env['SHOP_MODEL_URL'] ?? (await startServer());

export default {
  description: 'A model behind a server that speaks as OpenAI does.',
  dataset: 'golden.jsonl',
  targets: [
    {
      use: 'chat',
      name: 'shop',
      system: 'You answer questions about a shop in one sentence.',
      model: { use: 'openai-chat', model: 'shop-1', baseUrl },
    },
  ],
  metrics: ['tokens', 'latency'],
};

import { defineConfig } from 'touchstone';
import { module } from 'touchstone/targets';

export default defineConfig({
  description:
    'The property assistant against its golden set, both versions side by side with --target v1 v2.',
  dataset: 'golden.jsonl',
  targets: [module({ name: 'v1', path: 'assistant.ts' }), module({ name: 'v2', path: 'assistant-v2.ts' })],
});

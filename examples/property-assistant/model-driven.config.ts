import { defineConfig } from 'touchstone-evals';
import { chat, module } from 'touchstone-evals/targets';
import { model } from './model-driven/model.ts';

export default defineConfig({
  description:
    'The property assistant with a model that chooses among the same three tools, beside the one without.',
  dataset: 'golden.jsonl',
  targets: [
    module({ name: 'v2', path: 'assistant-v2.ts' }),
    chat({
      name: 'model-driven',
      model,
      variables: { company: 'Poolula LLC' },
      system: { path: 'model-driven/system.md' },
      tools: 'model-driven/tools.ts',
      documents: { search_document_content: '.' },
    }),
  ],
});

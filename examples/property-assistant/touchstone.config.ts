import { defineConfig } from 'touchstone-evals';
import { chatModel } from 'touchstone-evals/judges';
import { rubric } from 'touchstone-evals/metrics';
import { scripted } from 'touchstone-evals/models';
import { module } from 'touchstone-evals/targets';

/** Takes the place of a model, so that the example needs no key: it recognizes the sentences with which the assistant gives up. */
const standIn = scripted({
  rules: [
    {
      when: "/I encountered an error|I can't answer that/",
      reply: {
        json: {
          reason: 'The user learns nothing about the question.',
          verdict: 'no',
          in_words: 'it is not so',
        },
      },
    },
  ],
  otherwise: {
    json: { reason: 'It states facts or says why it must not.', verdict: 'yes', in_words: 'it is so' },
  },
});

export default defineConfig({
  description:
    'The property assistant against its golden set, both versions side by side with --target v1 v2.',
  dataset: 'golden.jsonl',
  targets: [module({ name: 'v1', path: 'assistant.ts' }), module({ name: 'v2', path: 'assistant-v2.ts' })],
  judge: chatModel({ model: standIn }),
  rubrics: {
    helps: {
      criterion: 'helps the user',
      question: 'Does the answer help the user, or say why the assistant must not answer?',
    },
  },
  metrics: [
    rubric({
      name: 'helps the user',
      shape: 'verdict',
      text: 'The answer helps the user with the question, or says why the assistant must not answer it.',
    }),
  ],
});

import type { JsonObject } from '../../importer.ts';
import { textOf } from '../../values.ts';
import { type AssertionType, type Translated, without } from './assertion.ts';

const ownPrompt = 'The judge is asked in our words, not in those of promptfoo.';
const needsService = 'It asks a service of its own.';

/** The assertions that ask a model or a service. */
export const judgedAssertions: Readonly<Record<string, AssertionType>> = {
  similar: similarity(),
  'similar:cosine': similarity(),
  'similar:dot': without('Only the cosine of two vectors is computed.'),
  'similar:euclidean': without('Only the cosine of two vectors is computed.'),
  'llm-rubric': {
    becomes: '`rubric`',
    note: `${ownPrompt} Without a threshold it says yes or no; with one it gives a score.`,
    asks: 'judge',
    translate: ({ value, threshold }) => rubric(value, { reads: ['answer'], threshold }),
  },
  'g-eval': {
    becomes: '`rubric`, one for each criterion',
    note: ownPrompt,
    asks: 'judge',
    translate: ({ value, threshold = 0.7 }) => {
      const reads = ['question', 'answer'];
      if (!Array.isArray(value)) return rubric(value, { reads, threshold });
      const each = value.map((text) => rubric(text, { reads, threshold }));
      const fault = each.find((one) => typeof one === 'string');
      return fault ?? { all: each as JsonObject[], threshold };
    },
  },
  'model-graded-closedqa': {
    becomes: '`rubric` with yes or no',
    note: ownPrompt,
    asks: 'judge',
    translate: ({ value }) => rubric(value, { reads: ['question', 'answer'] }),
  },
  factuality: factuality(),
  'model-graded-factuality': factuality(),
  'answer-relevance': {
    becomes: '`relevance`',
    note: 'The judge is asked for the relevance; promptfoo compares questions that a model makes of the answer.',
    asks: 'judge',
    translate: ({ threshold = 0.5 }) => ({ use: 'relevance', threshold }),
  },
  'context-faithfulness': {
    becomes: '`groundedness` in the documents of the answer',
    note: ownPrompt,
    asks: 'judge',
    translate: ({ threshold = 0.5 }) => ({
      use: 'groundedness',
      sources: ['documents', 'background'],
      threshold,
    }),
  },
  'conversation-relevance': {
    becomes: '`rubric` that reads the conversation',
    note: ownPrompt,
    asks: 'judge',
    translate: ({ threshold = 0.5 }) =>
      rubric('Every reply of the assistant is relevant to what the user said before it.', {
        reads: ['conversation', 'answer'],
        threshold,
      }),
  },
  'trajectory:goal-success': {
    becomes: '`rubric` that reads the conversation',
    note: ownPrompt,
    asks: 'judge',
    translate: ({ value, threshold }) =>
      rubric(`The assistant reached this goal: ${textOf(value ?? '')}`, {
        reads: ['conversation', 'tool results', 'answer'],
        threshold,
      }),
  },
  'context-recall': without('No metric of ours asks a judge for the recall of a context yet.'),
  'context-relevance': without('No metric of ours asks a judge for the relevance of a context yet.'),
  'search-rubric': without('The judge would need to search the web.'),
  'agent-rubric': without('The judge would need tools.'),
  pi: without(needsService),
  classifier: without('It asks a model that classifies texts.'),
  moderation: without(`${needsService} The judged metric \`safety\` is near.`),
  guardrails: without('It reads what the guardrails of a provider reported.'),
  webhook: without(needsService),
  perplexity: without('Probabilities of tokens are not recorded.'),
  'perplexity-score': without('Probabilities of tokens are not recorded.'),
};

function similarity(): AssertionType {
  return {
    becomes: '`semantic-similarity`',
    asks: 'embedder',
    translate: ({ value, threshold = 0.75 }, parts) => ({
      use: 'semantic-similarity',
      from: parts.refer(Array.isArray(value) ? value.map(textOf) : textOf(value ?? '')),
      threshold,
    }),
  };
}

function factuality(): AssertionType {
  return {
    becomes: '`correctness`',
    note: 'The judge gives a score; promptfoo chooses one of five relations and passes all but a contradiction.',
    asks: 'judge',
    translate: ({ value }, parts) =>
      parts.expect('answer', textOf(value ?? ''))
        ? { use: 'correctness', threshold: 0.5 }
        : 'the case has another expected answer',
  };
}

interface RubricOptions {
  readonly reads: string[];
  readonly threshold?: number | undefined;
}

function rubric(value: unknown, { reads, threshold }: RubricOptions): Translated {
  const text = textOf(value ?? '');
  if (text === '') return 'its rubric is empty';
  return { use: 'rubric', text, reads, ...(threshold === undefined ? { shape: 'verdict' } : { threshold }) };
}

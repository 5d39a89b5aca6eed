import type { JsonObject } from '../../importer.ts';
import { textOf, filled } from '../../values.ts';
import { factLabel } from '../../fact-label.ts';
import { type AssertionType, textsOf, type Translated, without } from './assertion.ts';

const ownPrompt = 'The judge is asked in our words, not in the words of promptfoo.';
const needsService = 'It asks a service of its own.';

/** The assertions that ask a model or a service. */
export const judgedAssertions: Readonly<Record<string, AssertionType>> = {
  similar: similarity(),
  'similar:cosine': similarity(),
  'similar:dot': similarity('dot'),
  'similar:euclidean': {
    ...similarity('euclidean'),
    note: 'The value is 1 / (1 + distance), and the greatest distance that passes is mapped to that.',
  },
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
  'context-recall': {
    becomes: '`context-recall` of the documents of the answer',
    note: `${ownPrompt} It counts statements, where promptfoo counts sentences.`,
    asks: 'judge',
    translate: ({ value, threshold = 0.5 }, parts) =>
      parts.expect('answer', textOf(value ?? '')) ? { use: 'context-recall', threshold } : otherAnswer,
  },
  'context-relevance': {
    becomes: '`context-relevance` of the documents of the answer',
    note: 'The judge says how far the documents contain what is needed; promptfoo counts the sentences that are needed.',
    asks: 'judge',
    translate: ({ threshold = 0.5 }) => ({ use: 'context-relevance', threshold }),
  },
  'search-rubric': without('The judge would need to search the web.'),
  'agent-rubric': without('The judge would need tools.'),
  pi: without(needsService),
  classifier: without(
    'It asks a model that classifies texts; `judged-label` asks a judge to choose a class.',
  ),
  moderation: {
    becomes: '`moderation`',
    note: 'A judge looks for the kinds of content that OpenAI names; promptfoo asks a service. Sub-kinds count as their kind.',
    asks: 'judge',
    translate: ({ value }) => moderation(value),
  },
  guardrails: without('It reads what the guardrails of a provider reported.'),
  webhook: without(needsService),
  perplexity: without('Probabilities of tokens are not recorded.'),
  'perplexity-score': without('Probabilities of tokens are not recorded.'),
};

function similarity(measure?: 'dot' | 'euclidean'): AssertionType {
  const suffix = measure === undefined ? '' : ` with the measure \`${measure}\``;
  return {
    becomes: `\`semantic-similarity\`${suffix}`,
    asks: 'embedder',
    translate: ({ value, threshold = 0.75 }, parts) => ({
      use: 'semantic-similarity',
      from: parts.refer(Array.isArray(value) ? value.map(textOf) : textOf(value ?? '')),
      measure,
      threshold: measure === 'euclidean' ? 1 / (1 + threshold) : threshold,
    }),
  };
}

const otherAnswer = 'the question has another expected answer';

function factuality(): AssertionType {
  return {
    becomes: '`judged-label` of five relations to the expected answer',
    note: `${ownPrompt} The relations are the same, and all pass but a contradiction.`,
    asks: 'judge',
    translate: ({ value }, parts) =>
      parts.expect('answer', textOf(value ?? '')) ? factLabel() : otherAnswer,
  };
}

const kinds = ['violence', 'hate', 'harassment', 'self-harm', 'sexual', 'illicit'];

function moderation(value: unknown): Translated {
  const named = textsOf(value ?? []).map((each) => (each.split('/')[0] ?? '').replaceAll('_', '-'));
  const unknown = named.find((each) => !kinds.includes(each));
  if (unknown !== undefined) return `our metric does not know the kind of content ${unknown}`;
  const categories = [...new Set(named)];
  return { use: 'moderation', categories: filled(categories) };
}

interface RubricOptions {
  readonly reads: string[];
  readonly threshold?: number;
}

function rubric(value: unknown, { reads, threshold }: RubricOptions): Translated {
  const text = textOf(value ?? '');
  if (text === '') return 'its rubric is empty';
  return { use: 'rubric', text, reads, ...(threshold === undefined ? { shape: 'verdict' } : { threshold }) };
}

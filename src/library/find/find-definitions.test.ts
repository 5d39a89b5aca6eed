import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { definitionsOf, type ExtensionKind, registries } from '../config/definitions.ts';
import { describeDefinition } from './describe-definition.ts';
import { findDefinitions } from './find-definitions.ts';

const kinds = Object.keys(registries) as ExtensionKind[];

/** Words that newcomers type, each with the metrics that answer it. */
const words: readonly (readonly [word: string, ...metrics: string[]])[] = [
  ['hallucination', 'groundedness', 'supported-facts', 'faithfulness'],
  ['exact match', 'exact-match'],
  ['NDCG', 'ndcg'],
  ['politeness', 'politeness'],
  ['synonyms', 'keywords', 'meteor', 'semantic-similarity'],
  ['tone', 'politeness', 'rubric', 'judged-label', 'question'],
  ['toxicity', 'moderation', 'safety'],
  ['latency', 'latency'],
  ['cost', 'cost'],
  ['JSON', 'json-valid', 'json-schema', 'contains-json'],
  ['tool order', 'tool-calls'],
  ['refusal', 'refusal'],
  ['keyword recall', 'keyword-recall'],
  ['semantic', 'semantic-similarity'],
  ['retrieval', 'retrieval-recall', 'retrieval-precision', 'retrieval-f1'],
  ['streaming speed', 'first-token'],
  ['response time', 'latency'],
  ['made up', 'groundedness', 'supported-facts'],
  ['levenshtein', 'edit-similarity'],
  ['MRR', 'reciprocal-rank'],
  ['MAP', 'average-precision'],
  ['recall@k', 'retrieval-recall', 'hit-rate'],
  ['rag', 'groundedness', 'faithfulness', 'retrieval-recall', 'context-recall', 'context-precision'],
  ['prompt injection', 'injection-resistance'],
  ['jailbreak', 'injection-resistance', 'robustness'],
  ['bias', 'safety', 'rubric'],
  ['pii', 'forbidden'],
  ['summarization', 'rouge'],
  ['translation', 'bleu', 'chrf', 'ter', 'meteor'],
  ['structured output', 'json-schema', 'json-valid', 'contains-json', 'json-difference'],
  ['schema', 'json-schema', 'tool-schema'],
  ['sql', 'sql-valid', 'state-query'],
  ['regex', 'regex'],
  ['function calling', 'tool-calls', 'tool-usage', 'tool-arguments', 'tool-call-accuracy', 'tool-f1'],
  ['arguments', 'tool-arguments'],
  ['too long', 'answer-length', 'word-count'],
  ['verbosity', 'answer-length', 'word-count'],
  ['concise', 'answer-length', 'word-count', 'rubric'],
  ['language', 'language'],
  ['date', 'date-match'],
  ['numbers', 'expected-numbers', 'numeric-match'],
  ['amount', 'numeric-match', 'expected-numbers'],
  ['names', 'entities'],
  ['banned words', 'forbidden'],
  ['competitor', 'forbidden', 'not-contains'],
  ['custom metric', 'function'],
  ['python', 'function'],
  ['llm as a judge', 'rubric', 'question', 'correctness'],
  ['g-eval', 'rubric', 'correctness'],
  ['multi-turn', 'turn-checks'],
  ['memory', 'turn-checks'],
  ['database', 'state-match', 'state-diff', 'state-query'],
  ['task completion', 'state-match', 'expected-behavior'],
  ['helpful', 'relevance', 'rubric'],
  ['on topic', 'relevance'],
  ['answer relevancy', 'relevance'],
  ['faithful', 'faithfulness'],
  ['context precision', 'context-precision'],
  ['embedding', 'semantic-similarity'],
  ['bertscore', 'semantic-similarity'],
  ['f1', 'squad-f1', 'tool-f1', 'retrieval-f1'],
  ['accuracy', 'answer-match', 'exact-match', 'correctness'],
  ['classification', 'exact-match', 'one-of', 'judged-label'],
  ['sentiment', 'judged-label'],
  ['errors', 'error-handling'],
  ['token count', 'tokens'],
  ['truncated', 'finish-reason'],
  ['multiple choice', 'answer-match', 'exact-match', 'one-of'],
  ['xml', 'xml-valid'],
  ['html', 'html-valid'],
  ['safety', 'safety'],
  ['human rating', 'recorded-score'],
  ['tool errors', 'tool-failures'],
  ['citation', 'groundedness', 'supported-facts'],
  ["I don't know", 'refusal'],
  ['empathy', 'rubric'],
  ['profanity', 'moderation', 'forbidden'],
  ['red teaming', 'injection-resistance', 'robustness', 'safety'],
  ['price', 'cost', 'numeric-match'],
  ['wrong tool', 'tool-precision', 'tool-usage'],
  ['list', 'list-contains'],
  ['grounded', 'groundedness', 'faithfulness'],
  ['how fast', 'latency', 'first-token'],
  ['does it answer the question', 'relevance'],
  ['is the answer correct', 'answer-match', 'correctness'],
  ['same meaning', 'correctness', 'semantic-similarity'],
];

test.each(words)('"%s" finds its metric among the first three', (word, ...metrics) => {
  const first = findDefinitions(['metric'], { words: word }).hits.slice(0, 3);
  expect(first.filter(({ name }) => metrics.includes(name))).not.toEqual([]);
});

test.each([
  ['target', 'endpoint', 'http'],
  ['target', 'Slack', 'webhook'],
  ['target', 'python', 'command'],
  ['model', 'Claude', 'anthropic'],
  ['model', 'ollama', 'openai-chat'],
  ['judge', 'majority', 'panel'],
  ['user', 'persona', 'simulated-user'],
  ['scorecard', 'checklist', 'binary-weighted'],
] as const)('the %s for "%s" is %s', (kind, word, name) => {
  expect(findDefinitions([kind], { words: word }).hits[0]?.name).toBe(name);
});

test('a typing error is answered with the nearest word and what it finds', () => {
  const { hits, near } = findDefinitions(['metric'], { words: 'halucination' });
  expect(hits).toEqual([]);
  expect(near?.word).toBe('hallucination');
  expect(near?.hits.map(({ name }) => name)).toContain('groundedness');
});

test('metrics are narrowed to those that read an expectation, or need no judge', () => {
  const all = findDefinitions(['metric']).hits;
  const documents = findDefinitions(['metric'], { reads: 'documents' }).hits;
  expect(documents.map(({ name }) => name)).toContain('ndcg');
  expect(documents.length).toBeLessThan(all.length / 2);
  const cheap = findDefinitions(['metric'], { noJudge: true }).hits.map(({ name }) => name);
  expect(cheap).not.toContain('groundedness');
  expect(cheap).toContain('supported-facts');
});

test('a name finds what is called so, alone', () => {
  const { hits, isExact } = findDefinitions(['metric'], { words: 'contains' });
  expect([isExact, hits.map(({ name }) => name)]).toEqual([true, ['contains']]);
});

const all = kinds.flatMap((kind) => definitionsOf(kind));

test.each(all.map((definition) => [definition.kind, definition.name, definition] as const))(
  'the example of the %s %s is valid by its options, and it says what people look for',
  (kind, _name, definition) => {
    const { example = {}, words: own = '' } = definition;
    if (kind !== 'store') expect(own).not.toBe('');
    if (typeof example !== 'string' && kind !== 'store') {
      expect(definition.options.safeParse(example).error?.issues ?? []).toEqual([]);
    }
    const shown = describeDefinition(definition).example;
    expect(shown.split('\n').filter((line) => line.length > 76)).toEqual([]);
    if (typeof example === 'string') return;
    const [setting] = Object.values(parse(shown) as Record<string, unknown>);
    expect([setting].flat()).toEqual([
      Object.keys(example).length === 0 && kind === 'metric'
        ? definition.name
        : { use: definition.name, ...example },
    ]);
  },
);

test('a metric that asks a judge says that it needs one', () => {
  const judged = findDefinitions(['metric']).hits.filter(({ says }) => says.startsWith('Judged'));
  expect(judged.filter(({ needs }) => !needs.includes('judge')).map(({ name }) => name)).toEqual([]);
});

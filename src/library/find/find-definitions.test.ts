import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { providers } from '../../evaluate/models/providers/table.ts';
import { definitionsOf, type ExtensionKind, registries } from '../config/definitions.ts';
import { describeDefinition } from './describe-definition.ts';
import { findDefinitions } from './find-definitions.ts';

const kinds = Object.keys(registries) as ExtensionKind[];

test.each([
  ['target', 'endpoint', 'http'],
  ['target', 'Slack', 'webhook'],
  ['target', 'python', 'command'],
  ['model', 'Claude', 'anthropic'],
  ['model', 'ollama', 'ollama'],
  ['judge', 'majority', 'panel'],
  ['user', 'persona', 'simulated-user'],
  ['scorecard', 'checklist', 'binary-weighted'],
  ['target', 'flask', 'http'],
  ['target', 'langgraph', 'command'],
  ['target', 'discord', 'webhook'],
  ['target', 'rag', 'full-context'],
  ['target', 'recorded answers', 'replay'],
  ['model', 'Azure', 'azure'],
  ['model', 'Bedrock', 'bedrock'],
  ['model', 'llama', 'node-llama-cpp'],
  ['judge', 'ensemble', 'panel'],
  ['judge', 'local model', 'chat-model'],
  ['scorecard', 'threshold', 'weighted'],
  ['user', 'angry customer', 'simulated-user'],
  ['user', 'follow-up', 'scripted-user'],
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

test('what is declared in the words that are asked stands before what shares some of them', () => {
  expect(findDefinitions(['metric'], { words: 'partial credit' }).hits[0]?.words).toContain('partial credit');
  expect(findDefinitions(['metric'], { words: 'price of a call' }).hits[0]?.name).toBe('cost');
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

test('the list of models names every provider with the variable of its key', () => {
  const { hits } = findDefinitions(['model']);
  const listed = new Map(hits.map(({ name, says }) => [name, says]));
  for (const { name, apiKeyEnv = 'no key' } of providers) expect(listed.get(name)).toContain(apiKeyEnv);
  expect(listed.get('azure')).toBe(
    'Azure OpenAI: {resource}.openai.azure.com, key in AZURE_OPENAI_API_KEY. `model` is the name of the deployment.',
  );
});

import { expect, test } from 'vitest';
import { findTargetChanges } from './find-notices.ts';

const target = (use: object, fingerprint: string) => ({ use: { use: 'chat', ...use }, fingerprint });
const changes = (a: object, b: object) => findTargetChanges(target(a, 'a'), target(b, 'b'));

test('every differing innermost setting is listed with both values as JSON', () => {
  expect(
    changes(
      { name: 'one', model: 'small', tools: ['find'], retrieval: { topK: 4, index: 'en' } },
      { name: 'two', model: 'large', tools: ['find', 'ask'], retrieval: { topK: 8, index: 'en' } },
    ),
  ).toEqual([
    { setting: 'model', a: '"small"', b: '"large"' },
    { setting: 'tools.1', a: null, b: '"ask"' },
    { setting: 'retrieval.topK', a: '4', b: '8' },
  ]);
});

test('long texts are shown from shortly before their first difference', () => {
  const same = 'You are the assistant of a library, and you answer kindly. '.repeat(20);
  const [change] = changes({ prompt: `${same}Be short.` }, { prompt: `${same}Be long.` }) ?? [];
  expect(change).toEqual({
    setting: 'prompt',
    a: '…answer kindly. Be short."',
    b: '…answer kindly. Be long."',
  });
  const [other] = changes({ prompt: 'x'.repeat(500) }, { prompt: 'y' }) ?? [];
  expect(other?.a).toBe(`"${'x'.repeat(79)}…`);
});

test('a text that may be a secret is not shown; a number is', () => {
  expect(changes({ headers: { 'api-key': 'one' } }, { headers: { 'api-key': 'two' } })).toEqual([
    { setting: 'headers.api-key', a: null, b: null, isSecret: true },
  ]);
  expect(changes({}, { headers: { 'api-key': 'one', lines: [] } })).toEqual([
    { setting: 'headers.api-key', a: null, b: null, isSecret: true },
    { setting: 'headers.lines', a: null, b: '[]' },
  ]);
  expect(changes({ maxTokens: 100 }, {})).toEqual([{ setting: 'maxTokens', a: '100', b: null }]);
});

test('the same target has no changes; one with other files behind it has an empty list', () => {
  expect(findTargetChanges(target({}, 'a'), target({}, 'a'))).toBeUndefined();
  expect(changes({ path: 'bot.ts' }, { path: 'bot.ts' })).toEqual([]);
});

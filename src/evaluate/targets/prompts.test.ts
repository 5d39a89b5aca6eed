import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestOf } from '../../../test/support/prepare-target.ts';
import { compilePrompt } from './prompts.ts';

const environment = { CITY: 'Berne', API_TOKEN: 'abc' };

function compile(text: string, texts: Readonly<Record<string, string>> = {}) {
  return compilePrompt({ text, file: 'prompt.md' }, { texts: new Map(Object.entries(texts)), environment });
}

test("variables are replaced by the question, its metadata, the environment and the user's own texts", () => {
  const prompt = compile('{{ tone }} {{question}} {{metadata.user.name}} {{env.CITY}} {{attempt}}', {
    tone: 'Kindly:',
  });
  const request = requestOf('Where?', { metadata: { user: { name: 'Ana' } }, attempt: 2 });
  expect(prompt.fill(request)).toBe('Kindly: Where? Ana Berne 2');
  expect([...prompt.names]).toEqual(['tone', 'question', 'metadata.user.name', 'env.CITY', 'attempt']);
});

test('a value that is not a text is written as JSON', () => {
  expect(compile('{{metadata.list}}').fill(requestOf('q', { metadata: { list: [1, 'a'] } }))).toBe('[1,"a"]');
});

test('braces in a value are not variables', () => {
  const texts = fc.stringMatching(/^[{}\\a-z $&]*$/);
  fc.assert(
    fc.property(texts, texts, (question, own) => {
      expect(compile('a {{question}} b {{own}} c', { own }).fill(requestOf(question))).toBe(
        `a ${question} b ${own} c`,
      );
    }),
  );
});

test('a backslash makes two braces literal', () => {
  expect(compile('\\{{question}} is {{question}}; {"a": {"b": 1}}').fill(requestOf('q'))).toBe(
    '{{question}} is q; {"a": {"b": 1}}',
  );
});

test.each([
  ['Answer:\r\n  {{qestion}}', 'prompt.md:2:3: there is no variable {{qestion}}. Did you mean {{question}}?'],
  ['{{Tone}}', 'prompt.md:1:1: there is no variable {{Tone}}. Did you mean {{tone}}?'],
  ['a\nb {{}}', 'prompt.md:2:3: there is no variable {{}}.'],
  ['{{constructor}}', 'prompt.md:1:1: there is no variable {{constructor}}.'],
  ['{{metadata.}}', 'prompt.md:1:1: there is no variable {{metadata.}}.'],
  ['ä {{question', 'prompt.md:1:3: `{{` is not closed by `}}`.'],
  ['{{question}', 'prompt.md:1:1: `{{` is not closed by `}}`.'],
  [
    '{{env.API_TOKEN}}',
    'prompt.md:1:1: {{env.API_TOKEN}} looks like a secret; a prompt goes to the model and is stored.',
  ],
  ['{{env.TOWN}}', 'prompt.md:1:1: the prompt needs TOWN, which is not set in the environment.'],
])('%j is refused with its place', (text, message) => {
  expect(() => compile(text, { tone: '' })).toThrow(message);
});

test('metadata that a case does not have is a failure of that trial, with the place', () => {
  expect(() => compile('x {{metadata.city}}').fill(requestOf('q'))).toThrow(
    expect.objectContaining({
      code: 'metadata-missing',
      message: 'prompt.md:1:3: the question case-1 has no metadata `city`.',
    }),
  );
});

test('another text, or another value of a used variable, is another identity', () => {
  const identities = [
    compile('{{tone}} {{question}}', { tone: 'a' }),
    compile('{{tone}} {{question}}', { tone: 'b' }),
    compile('{{tone}}  {{question}}', { tone: 'a' }),
    compile('{{tone}} {{question}}', { tone: 'a', unused: 'x' }),
  ].map(({ identity }) => JSON.stringify(identity));
  expect(new Set(identities).size).toBe(3);
  expect(identities[3]).toBe(identities[0]);
});

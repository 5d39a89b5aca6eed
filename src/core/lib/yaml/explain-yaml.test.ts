import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { explainYaml } from './explain-yaml.ts';

function explain(text: string) {
  const [error] = parseDocument(text, { prettyErrors: false }).errors;
  return error === undefined ? undefined : explainYaml(error, text);
}

test.each([
  ['question: What is: this', 'a second colon in what looks like one field', 'quotation marks'],
  ['question: a\nquestion: b', 'two fields with the same name', 'Remove one'],
  ['- question: a\n\tcategory: b', 'a tab in the indentation', 'spaces'],
  ['question: @home', 'a text cannot begin with this character', 'quotation marks'],
  ['question: "a\\q"', 'a backslash that means nothing', 'twice'],
  ['question\ncategory: b', 'expected the name of a field and a colon on one line', 'a colon and a space'],
  ['- tags: {a: 1\n- tags: b', 'expected } to close', 'Close it'],
  ['- tags: [a\n- tags: b', 'expected ] to close', 'Close it'],
  ['question: "a', 'expected a quotation mark to close', 'Close it'],
])('%j is explained', (text, message, remedy) => {
  expect(explain(text)).toEqual({
    message: expect.stringContaining(message),
    remedy: expect.stringContaining(remedy),
  });
});

test('an error that we do not explain keeps the message of the parser', () => {
  const fault = { code: 'UNHEARD_OF', message: 'Something new', pos: [0, 1] as const };
  expect(explainYaml(fault, 'a')).toEqual({
    message: 'something new',
    remedy: 'Check the indentation, colons and quotation marks there.',
  });
});

import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { answerMatch } from './answer-match.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import {
  type Edit,
  changingEdits,
  changingJsonEdits,
  keepingEdits,
  keepingJsonEdits,
} from '../../../../test/support/invented-edits.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const shared = path.resolve(root, '../shared/data');
const folders = [
  path.join(root, 'examples'),
  path.join(root, 'templates'),
  ...['golden', 'qa'].map((kind) => path.join(shared, kind)).filter((folder) => existsSync(folder)),
];

const answerKeys =
  /^(?:expected|answer|answers|expected_?answer|expected_?output|ideal|ground_?truths?|ground_?truth_?answer|reference|gold|text|target)$/i;
const mostOfAFile = 400;

/** Returns the expected answers of the rows of a file. */
function answersOf(file: string): string[] {
  const found = new Set<string>();
  const collect = (value: unknown, isAnswer: boolean): void => {
    if (typeof value === 'string') {
      if (isAnswer && value.trim() !== '' && value.length <= 600) found.add(value.trim());
    } else if (Array.isArray(value)) for (const item of value) collect(item, isAnswer);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inside] of Object.entries(value)) collect(inside, answerKeys.test(key));
    }
  };
  const content = readFileSync(file, 'utf8');
  for (const line of file.endsWith('.json') ? [content] : content.split('\n')) {
    try {
      collect(JSON.parse(line), false);
    } catch {
      // Not a row of JSON.
    }
    if (found.size >= mostOfAFile) break;
  }
  return [...found].slice(0, mostOfAFile);
}

const files = folders.flatMap((folder) =>
  globSync('**/*.{jsonl,json}', { cwd: folder }).map((file) => path.join(folder, file)),
);
/** One text at least for each edit, also where there is no public data. */
const ownTexts = [
  'x > 5',
  'SELECT name FROM users WHERE age >= 30',
  'a + b',
  'done == true',
  'The order 4471023 has 12 items and 3 kg.',
  'The sign says "No entry".',
  'The café in Zürich is not open before 8.5 o’clock.',
];
const answers = [
  ...new Set([
    ...ownTexts,
    ...files.filter((file) => !file.includes('node_modules')).flatMap((file) => answersOf(file)),
  ]),
];

const metric = answerMatch.definition.create(answerMatch.definition.options.parse({}), {});

function passes(answer: string, expected: string): boolean {
  const verdict = metric.score({
    case: buildCase({ expected: { answer: expected } }),
    trial: buildTrial(answer),
  });
  return 'passed' in verdict && verdict.passed === true;
}

/** Applies an edit to every text that it can change, and returns how many there were, and the wrong verdicts. */
function tryEdit({ name, edit }: Edit, texts: readonly string[], isSame: boolean) {
  const tried = texts.flatMap((expected) => {
    const answer = edit(expected);
    return answer === undefined || answer === expected ? [] : [{ expected, answer }];
  });
  const wrong = tried.filter(({ expected, answer }) => passes(answer, expected) !== isSame);
  return { name, tried: tried.length, wrong };
}

/** Tries edits, prints how many texts each was tried on, and returns those with a wrong verdict or without a text. */
function findWrong(edits: readonly Edit[], texts: readonly string[], isSame: boolean) {
  const results = edits.map((edit) => tryEdit(edit, texts, isSame));
  const counts = results.map(({ name, tried }) => `${name} ${tried}`).join(', ');
  process.stdout.write(`${isSame ? 'edits that change nothing' : 'edits of the meaning'}: ${counts}\n`);
  return results.filter(({ tried, wrong }) => tried === 0 || wrong.length > 0);
}

const objects = [
  '{"name":"Ann","age":5}',
  '{"id":1290461237612345677,"tags":["a","b"],"open":true}',
  '{"total":12.5,"items":[{"sku":"A-1","count":2},{"sku":"B-2","count":1}]}',
  '[{"city":"Paris","nights":3},{"city":"Rome","nights":2}]',
  '{"a":{"b":{"c":"deep"}},"empty":null}',
];

test('an edit that changes the meaning of an expected answer never passes', () => {
  expect(findWrong(changingEdits, answers, false)).toEqual([]);
});

test('an edit that changes only the form always passes', () => {
  expect(findWrong(keepingEdits, answers, true)).toEqual([]);
});

test('another key or value of JSON never passes', () => {
  expect(findWrong(changingJsonEdits, objects, false)).toEqual([]);
});

test('the form of JSON and the order of its keys do not count', () => {
  expect(findWrong(keepingJsonEdits, objects, true)).toEqual([]);
});

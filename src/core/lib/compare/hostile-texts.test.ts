import { expect, test } from 'vitest';
import { isReleaseTested } from '../../../../test/support/is-release-tested.ts';
import { createForbiddenSearch } from '../search/find-forbidden.ts';
import { createTermSearch, keywordRules } from '../search/find-terms.ts';
import { compareChoices } from './choices.ts';
import { compareJson } from './compare-json.ts';
import { compareTexts } from './compare-texts.ts';

const cpuOf = (work: () => unknown) => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

const choices = [
  { label: 'A', text: 'Paris' },
  { label: 'B', text: 'Rome' },
  { label: 'C', text: '1 km' },
];
const keywords =
  'refund, 14 days, Paris, not, A1, policy, v2.0, 10 %, x > 5, Müller, 中文, land, C++, -5, ½ cup, a.b/c'.split(
    ', ',
  );

function compareInEveryWay(text: string): void {
  compareTexts(text, 'Paris has 12 % of the 5 km');
  compareTexts('Paris has 5', text);
  compareTexts(`${text} b`, text);
  compareTexts('Paris has 5', 'Paris has 6', { question: text });
  compareChoices(text, 'B', choices);
  compareJson(text, '{"a": [1, "x"]}');
  const find = createTermSearch(text, keywordRules);
  const findForbidden = createForbiddenSearch(text, 'substring');
  for (const keyword of keywords) {
    find(keyword);
    findForbidden(keyword);
  }
}

const few = ['1 ', '1/', '(', '[', '"', '**a', '½', 'http://', 'not ', '\\boxed{'];
const others =
  '1, 1. - { * _ ` a1 10^ <think> ² a.b. 12: $1 \n a 😀 ภาษาไทย 中文字 é e\u0301 % two 1h x= {"a": [1, (1 1- +1 1\t'.split(
    ' ',
  );

const repeat = (part: string, length: number) => part.repeat(Math.ceil(length / part.length));

test.each(isReleaseTested ? [...few, ...others] : few)(
  'a hostile text takes time in proportion to its length: %j',
  (part) => {
    const grow = () => {
      const [short = 0, long = 0] = [2000, 20_000].map((length) =>
        cpuOf(() => compareInEveryWay(repeat(part, length))),
      );
      return long / Math.max(short, 10);
    };
    // Ten times the length; the square of it would be a hundred times, however often it is tried on a busy machine.
    let growth = grow();
    for (let tries = 1; growth >= 30 && tries < 4; tries += 1) growth = Math.min(growth, grow());
    expect(growth).toBeLessThan(30);
  },
);

test('a long text without spaces is compared: its words are too many to be the arguments of a call', () => {
  const text = '中文字'.repeat(70_000);
  expect(compareTexts(text, '中文')).toMatchObject({ outcome: 'words' });
});

test('a word that is the name of a property of every object is a word', () => {
  expect(compareTexts('the constructor is called', 'The constructor is called.')).toMatchObject({
    outcome: 'same',
  });
  expect(compareTexts('a constructor', 'the valueOf constructor')).not.toMatchObject({ outcome: 'same' });
});

import { expect, test } from 'vitest';
import { countNeeds, describeNeeds, unmetNeeds } from './report-skipped.ts';

test('skipped tests are counted by what they need, with how to install it', () => {
  const skipped = [
    'zsh (needs zsh) > completes commands',
    'zsh (needs zsh) > completes files',
    'real runs of an agent benchmark (needs ../shared/data/tau-bench)',
    'an installation is at most 40 MB (needs TOUCHSTONE_TEST_ALL=1)',
    'pages (needs chromium) > are walked through (needs TOUCHSTONE_TEST_ALL=1)',
    'a web page is refused, not recorded (text is the answer)',
  ];
  expect(describeNeeds(countNeeds(skipped, false))).toEqual([
    '2 tests need zsh: install zsh with your package manager',
    '1 test needs ../shared/data: the collections of public data lie beside the repository where there are any',
    '2 tests need TOUCHSTONE_TEST_ALL=1: npm run test:release',
  ]);
  expect([...countNeeds(skipped, true).keys()]).toEqual(['zsh', '../shared/data', 'chromium']);
});

test('tests of public data may skip only where there is none', () => {
  const needs = ['zsh', '../shared/data', 'TOUCHSTONE_TEST_GGUF'];
  expect(unmetNeeds(needs, false)).toEqual(['zsh']);
  expect(unmetNeeds(needs, true)).toEqual(['zsh', '../shared/data']);
});

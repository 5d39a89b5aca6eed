import { expect, test } from 'vitest';
import { readPieces, sampleInput, sampleView } from '../../../test/support/build-sample-run.ts';
import type { SampleTrial } from '../../../test/support/judge-sample.ts';
import { paragraph } from './blocks/block.ts';
import { codeSpan, renderMarkdown } from './blocks/markdown.ts';
import { span } from './blocks/text.ts';
import { markdown } from './markdown.ts';
import { isReleaseTested } from '../../../test/support/is-release-tested.ts';

const few: SampleTrial[] = [
  { id: 'address', category: 'facts', expectedTools: ['query'], usedTools: ['query'], found: ['900'] },
  {
    id: 'rent',
    category: 'money',
    question: 'What was the rent?',
    expectedTools: ['query'],
    usedTools: ['search'],
    missing: ['16144'],
  },
];

test('a small report has this text', async () => {
  expect(
    await readPieces(markdown.report(sampleInput(few), sampleView())),
  ).toBe(`## Touchstone run \`r-2026-02-11-a1\`

2 questions · \`golden.jsonl\` · 2026-02-11 09:30 UTC · 12.4 s

### \`assistant\`

**60.0 % [0.0, 100.0]** n = 2/2

| Outcome | Answers | Share | Interval |
| --- | --- | ---: | --- |
| Passed | 1 of 2 | 50.0 % | [0.0, 100.0] |
| Failed | 1 of 2 |  |  |
| Errors | 0 of 2 | 0.0 % | [0.0, 0.0] |

Grades: \`A\` 1 \`excellent\` · \`B\` 0 \`good\` · \`C\` 0 \`acceptable\` · \`D\` 0 \`needs investigation\` · \`F\` 1 \`poor\`

Means: \`60.0 % on average is D, needs investigation\`

Calls: 2, no retries · tokens and cost not reported

| Component | Weight | Mean | Interval |
| --- | ---: | ---: | --- |
| \`tool usage\` | 40 % | 50.0 % | [0.0, 100.0] |
| \`response quality\` | 40 % | 50.0 % | [0.0, 100.0] |
| \`error handling\` \`*\` | 20 % | 100.0 % | [100.0, 100.0] |

\`*\` required: no answer passes without full marks here

| Also measured | Mean | Interval | p50 | p90 | p99 |
| --- | ---: | --- | ---: | ---: | ---: |
| \`latency\` | 850 ms | [750, 950 ms] | 800 ms | 900 ms | 900 ms |

| Category, weakest first | Mean | Interval | Passed |
| --- | ---: | --- | ---: |
| \`money\` | 20.0 % | too few to say | 0/1 |
| \`facts\` | 100.0 % | too few to say | 1/1 |

<details><summary>1 question did not pass</summary>

- ✗ 20.0 \`F\` \`What was the rent?\`
  - \`rent\` · tools \`query\` ✗, used instead \`search\` · \`keywords\` 0/1, missing \`16144\`

</details>

**What to look at first**

1. \`tool usage\` is low: 50.0 %
   - \`query\` was expected but not used once; instead: \`search\` 1.
   - Does the description of the tool say when to use it? Does the system prompt distinguish the tools?
   - Open first: \`rent\`
2. \`response quality\` is low: 50.0 %
   - Missing most often: \`16144\` once.
   - Is the answer incomplete, did retrieval miss the passage, or does the question leave open what is asked for?
   - Open first: \`rent\`
3. Weakest category: \`money\`, 20.0 %
   - 0 of 1 passed.
   - Open first: \`rent\`

The brackets are 95 % intervals; the score's is based on 2 questions (method: \`student-t\`). These are few questions: one alone can move the score by 50.0 points.
`);
});

test('there is no collapsed block when every question passed', async () => {
  const text = await readPieces(markdown.report(sampleInput([{}, {}]), sampleView()));
  expect(text).not.toContain('<details>');
});

test.skipIf(!isReleaseTested)(
  'a report of very many failures fits in a GitHub comment (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const long = 'word '.repeat(2000);
    const trials = Array.from({ length: 1000 }, (_, index) => ({
      ...few[1],
      target: `target-${index % 4}`,
      id: `${index} ${long}`,
      question: long,
      missing: Array.from({ length: 50 }, (__, term) => `${term} ${long}`),
    }));
    const text = await readPieces(markdown.report(sampleInput(trials), sampleView()));
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain('more: `touchstone show');
  },
);

test('a code span is fenced with more backticks than it contains', () => {
  expect(codeSpan('plain')).toBe('`plain`');
  expect(codeSpan('a `b` ``c``')).toBe('``` a `b` ``c`` ```');
  expect(codeSpan('one\ntwo')).toBe('`one ⏎ two`');
  expect(codeSpan('  ')).toBe('–');
});

test('our own words with a name that Markdown could read as markup are set as code', () => {
  const set = (text: string) => renderMarkdown([paragraph([span(text)])]);
  expect(set('p < 0.001 * 2 of `touchstone show`, pass@k')).toBe(
    'p &lt; 0.001 * 2 of `touchstone show`, pass@k\n',
  );
  for (const name of [
    '<b>x</b>',
    '@someone',
    '#12',
    '![x](y)',
    'https://evil.example',
    'a|b',
    '**x**',
    '\u001b[31m',
  ])
    expect(set(`Judge ${name} failed`)).toMatch(/^`Judge .* failed`\n$/);
  expect(set('Judge `a` and `` b failed')).toMatch(/^`+ ?Judge|^Judge `a`/);
});

import { expect, test } from 'vitest';
import { anchorOf } from '../../core/lib/text/anchor-of.ts';
import { findSections, listPages, nearestWords, readSections } from './find-docs.ts';

/** Questions of newcomers, many from public trackers, each with the pages, or the parts of pages, that answer it. */
const questions: readonly (readonly [question: string, ...pages: string[]])[] = [
  ['how do I check tone', 'docs/metrics.md', 'docs/reference/metrics.md'],
  ['my bot streams', 'docs/connect-your-bot.md'],
  ['rerun failures', 'docs/limits.md'],
  ['what does [75, 88] mean', 'docs/intervals.md'],
  ['where do I put my API key', 'docs/safety.md#secrets'],
  ['compare two versions', 'docs/compare.md'],
  ['is version B better than A', 'docs/compare.md#ab-tests', 'docs/compare.md'],
  ['fail the build in CI', 'docs/ci.md', 'docs/gate.md'],
  ['github action', 'docs/ci.md'],
  ['which columns may my csv have', 'docs/datasets.md'],
  ['excel file', 'docs/datasets.md'],
  ['conversation of several turns', 'docs/conversations.md'],
  ['what does a run cost', 'docs/limits.md#cost', 'docs/limits.md'],
  ['why is it not measured', 'docs/expectations.md', 'docs/limits.md', 'docs/gate.md'],
  ['dashboard for a team', 'docs/server.md'],
  ['p value', 'docs/compare.md'],
  ['hallucination', 'docs/metrics.md', 'docs/reference/metrics.md'],
  ['write my own metric', 'README.md'],
  ['pytest', 'docs/python.md'],
  ['langgraph', 'docs/python.md', 'docs/connect-your-bot.md'],
  ['postgres', 'docs/workers.md#runs-in-postgresql'],
  ['move from promptfoo', 'docs/moving.md'],
  [
    'is the judge right',
    'docs/labels.md',
    'docs/calibrate.md',
    'docs/judges.md',
    'docs/calibrate.md#agreement-and-corrected-rates-in-code',
  ],
  ['local model', 'docs/judges.md', 'docs/reference/models.md'],
  ['resume after a crash', 'docs/limits.md'],
  ['rate limit', 'docs/limits.md'],
  ['how many questions do I need', 'docs/how-many-questions.md'],
  ['erase personal data', 'docs/safety.md#erasing-texts'],
  ['thumbs up from users', 'docs/production.md#feedback-of-users'],
  ['traces from production', 'docs/production.md#from-traces-to-questions'],
  ['tool call order', 'docs/tool-calls.md'],
  ['several attempts per question', 'docs/repeats.md'],
  ['typing errors in questions', 'docs/robustness.md'],
  ['what is inconclusive', 'docs/gate.md', 'docs/how-many-questions.md'],
  ['weights of categories', 'docs/intervals.md'],
  ['run on several machines', 'docs/workers.md', 'docs/workers.md#runs-in-postgresql'],
  ['share a run with somebody', 'docs/store.md'],
  ['scores over weeks', 'docs/trends.md'],
  ['duplicates in my dataset', 'docs/datasets.md#checking-a-dataset'],
  ['filter cases by category', 'docs/filters.md'],
  ['opentelemetry', 'docs/production.md#telemetry'],
  ['what does a word mean', 'docs/words.md'],
  ['retry only failed tests', 'docs/repeats.md', 'docs/limits.md'],
  ['retry failed requests 500 server error', 'docs/limits.md'],
  [
    'assert on a chat conversation',
    'docs/conversations.md',
    'docs/connect-your-bot.md',
    'docs/expectations.md',
  ],
  ['multi turn conversation', 'docs/conversations.md'],
  ['multi-turn', 'docs/conversations.md'],
  ['images', 'docs/connect-your-bot.md', 'README.md'],
  [
    'latency of each answer',
    'docs/reference/metrics.md',
    'docs/metrics.md',
    'docs/intervals.md',
    'docs/limits.md',
  ],
  ['example using a local LLM', 'docs/judges.md', 'docs/reference/models.md', 'docs/connect-your-bot.md'],
  ['ollama', 'docs/connect-your-bot.md', 'docs/reference/models.md', 'docs/judges.md'],
  ['rate limit handling for api calls', 'docs/limits.md'],
  ['score is nan', 'docs/expectations.md', 'docs/limits.md'],
  ['timeout error when evaluating', 'docs/limits.md'],
  [
    'I already have the outputs',
    'docs/conversations.md#recorded-answers-and-conversations',
    'docs/your-own-bot.md',
  ],
  [
    'score previously generated answers',
    'docs/conversations.md#recorded-answers-and-conversations',
    'docs/your-own-bot.md',
    'docs/library.md',
  ],
  ['custom provider in python', 'docs/python.md', 'docs/connect-your-bot.md'],
  [
    'evaluate a whole session',
    'docs/conversations.md',
    'docs/conversations.md#recorded-answers-and-conversations',
  ],
  ['environment variables', 'docs/safety.md#secrets', 'docs/reference/config.md', 'docs/ci.md'],
  [
    'export results to csv',
    'docs/library.md',
    'docs/reference/README.md',
    'docs/reading-a-report.md#a-report-for-a-manager',
    'docs/store.md',
    'docs/ci.md',
  ],
  ['share results with my team', 'docs/server.md', 'docs/store.md'],
  ['run in parallel', 'docs/limits.md', 'docs/workers.md'],
  ['concurrency', 'docs/limits.md', 'docs/reference/config.md'],
  ['turn off the cache', 'docs/watch.md', 'docs/judges.md', 'docs/limits.md', 'docs/limits.md#cost'],
  ['proxy', 'docs/connect-your-bot.md', 'docs/server.md', 'docs/safety.md#secrets', 'docs/limits.md'],
  [
    'self-signed certificate',
    'docs/connect-your-bot.md',
    'docs/server.md',
    'docs/safety.md#secrets',
    'docs/limits.md',
  ],
  ['azure openai', 'docs/reference/models.md', 'docs/judges.md', 'docs/connect-your-bot.md'],
  ['compare models side by side', 'docs/compare.md', 'docs/compare.md#ab-tests'],
  [
    'test different prompts',
    'docs/compare.md#ab-tests',
    'docs/compare.md',
    'docs/connect-your-bot.md',
    'docs/judges.md#my-own-judge',
  ],
  ['skip a test', 'docs/gate.md', 'docs/filters.md', 'docs/datasets.md#checking-a-dataset'],
  ['flaky tests', 'docs/repeats.md', 'docs/gate.md'],
  ['generate test cases from documents', 'docs/datasets.md#drafting-questions'],
  ['synthetic dataset', 'docs/datasets.md#drafting-questions'],
  ['human annotation', 'docs/labels.md', 'docs/labels.md#review-the-page-for-labels'],
  ['weight of a metric', 'docs/binary-weighted.md', 'docs/your-own-bot.md', 'docs/reference/scorecards.md'],
  [
    'threshold for passing',
    'docs/gate.md',
    'docs/your-own-bot.md',
    'docs/binary-weighted.md',
    'docs/reference/metrics.md',
    'docs/ci.md',
  ],
  ['results differ every run', 'docs/repeats.md'],
  ['nondeterministic', 'docs/repeats.md'],
  ['statistical significance', 'docs/compare.md', 'docs/intervals.md'],
  ['sample size', 'docs/how-many-questions.md', 'docs/intervals.md'],
  ['oauth login', 'docs/connect-your-bot.md', 'docs/server.md'],
  [
    'bearer token',
    'docs/connect-your-bot.md',
    'docs/safety.md#secrets',
    'docs/your-own-bot.md',
    'docs/reference/targets.md',
  ],
  ['cookies', 'docs/connect-your-bot.md'],
  ['jest or vitest', 'docs/ci.md', 'docs/library.md'],
  [
    'langchain agent',
    'docs/python.md',
    'docs/connect-your-bot.md',
    'docs/conversations.md#recorded-answers-and-conversations',
  ],
  ['see results in the browser', 'docs/your-own-bot.md', 'README.md', 'docs/watch.md'],
  ['delete old runs', 'docs/store.md'],
  ['does it work offline', 'README.md', 'docs/production.md#telemetry', 'docs/safety.md'],
  ['estimate cost before running', 'docs/limits.md#cost'],
  ['spending limit', 'docs/limits.md#cost', 'docs/limits.md'],
  ['hugging face dataset', 'docs/datasets.md', 'docs/moving.md'],
  ['judge parse error', 'docs/judges.md'],
  ['temperature and seed', 'docs/reference/models.md', 'docs/repeats.md', 'docs/judges.md'],
  ['comment on pull request', 'docs/ci.md'],
  ['bedrock', 'docs/reference/models.md', 'docs/connect-your-bot.md', 'docs/judges.md'],
  ['slack bot', 'docs/connect-your-bot.md'],
  ['what is a rubric', 'docs/labels.md', 'docs/words.md', 'docs/judges.md#my-own-judge', 'docs/judges.md'],
  ['golden set', 'docs/datasets.md', 'docs/words.md', 'docs/datasets.md#drafting-questions'],
  ['exit codes', 'docs/ci.md', 'README.md', 'docs/gate.md'],
  ['store location', 'docs/store.md'],
  ['sql', 'docs/store.md', 'docs/reference/metrics.md'],
  ['bot needs session id', 'docs/conversations.md'],
  [
    'bot is started for each question',
    'docs/your-own-bot.md',
    'docs/reference/targets.md',
    'docs/connect-your-bot.md',
  ],
  ['unit tests', 'docs/ci.md', 'docs/python.md', 'docs/library.md'],
  ['confidence interval', 'docs/intervals.md'],
  ['docker', 'docs/server.md', 'docs/workers.md', 'docs/ci.md'],
  ['keep the key secret', 'docs/safety.md#secrets'],
  ['german decimals csv', 'docs/datasets.md'],
  [
    'test in another language',
    'docs/expectations.md',
    'docs/metrics.md',
    'docs/reference/metrics.md',
    'docs/judges.md',
  ],
  ['pass@k', 'docs/repeats.md'],
  ['prompt injection', 'docs/robustness.md'],
  ['red team', 'docs/robustness.md', 'README.md', 'docs/moving.md'],
  [
    'why did it fail',
    'docs/modes.md#a-failing-conversation',
    'docs/expectations.md',
    'docs/expectations.md#what-counts-as-an-error',
  ],
  ['how is the score calculated', 'docs/your-own-bot.md', 'docs/binary-weighted.md', 'docs/expectations.md'],
  ['import from langfuse', 'docs/moving.md', 'docs/production.md#from-traces-to-questions'],
  ['upgrade', 'docs/store.md', 'docs/workers.md#runs-in-postgresql'],
  ['pass rate', 'docs/gate.md', 'docs/binary-weighted.md', 'docs/words.md', 'docs/intervals.md'],
  [
    'partial credit',
    'docs/expectations.md',
    'docs/binary-weighted.md',
    'docs/metrics.md',
    'docs/tool-calls.md',
  ],
  ['memory across sessions', 'docs/conversations.md'],
  [
    'payments test mode',
    'docs/tools.md',
    'docs/connect-your-bot.md',
    'docs/conversations.md',
    'docs/tool-calls.md',
  ],
  ['gemini as judge', 'docs/judges.md', 'docs/reference/models.md'],
  ['claude code', 'docs/agents.md'],
  ['coding agent', 'docs/agents.md'],
  ['AGENTS.md', 'docs/agents.md'],
  ['cursor mcp', 'docs/agents.md'],
  ['let my agent improve the bot', 'docs/agents.md'],
];

test('a page that answers the question of a newcomer is among the first three for 19 of 20', () => {
  const lost = questions.filter(([question, ...pages]) => {
    const found = findSections(question).slice(0, 3);
    return !found.some(
      ({ page, headings: [, part = ''] }) =>
        pages.includes(page) || pages.includes(`${page}#${anchorOf(part)}`),
    );
  });
  expect(lost.slice(Math.floor(questions.length / 20))).toEqual([]);
});

test('words that no page has are answered with near ones', () => {
  expect(findSections('convrsations')).toEqual([]);
  expect(nearestWords('convrsations')).toEqual(['conversations']);
  expect(nearestWords('zzzzqqqqxx')).toEqual([]);
});

test('a question of the index that is answered by a section finds the section', () => {
  expect(findSections('how is the score calculated')[0]).toMatchObject({
    page: 'docs/your-own-bot.md',
    headings: ['Your own bot in five minutes', '3. The score'],
  });
  expect(findSections('images')[0]).toMatchObject({
    page: 'docs/pictures.md',
    headings: ['Pictures, PDFs and sounds'],
  });
});

test('a section has the number of its line, its headings and its text; a comment in code is no heading', () => {
  const sections = readSections('docs/gate.md');
  expect(sections[0]).toMatchObject({ page: 'docs/gate.md', line: 1, headings: ['The gate'] });
  expect(sections.every(({ headings, text }) => headings.length > 0 && !text.startsWith('#'))).toBe(true);
});

test('pages are those that a user reads', () => {
  const pages = listPages();
  expect(pages).toContain('docs/limits.md');
  expect(pages.some((page) => page.includes('decisions'))).toBe(false);
});

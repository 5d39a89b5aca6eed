import { expect, test } from 'vitest';
import { findSections, listPages, readSections } from './find-docs.ts';

/** Questions of newcomers, each with the pages that answer it. */
const questions: readonly (readonly [question: string, ...pages: string[]])[] = [
  ['how do I check tone', 'docs/metrics.md', 'docs/reference/metrics.md'],
  ['my bot streams', 'docs/connect-your-bot.md'],
  ['rerun failures', 'docs/limits.md'],
  ['what does [75, 88] mean', 'docs/intervals.md'],
  ['where do I put my API key', 'docs/secrets.md'],
  ['compare two versions', 'docs/compare.md'],
  ['is version B better than A', 'docs/ab.md', 'docs/compare.md'],
  ['fail the build in CI', 'docs/ci.md', 'docs/gate.md'],
  ['github action', 'docs/ci.md'],
  ['which columns may my csv have', 'docs/datasets.md'],
  ['excel file', 'docs/datasets.md'],
  ['conversation of several turns', 'docs/conversations.md'],
  ['what does a run cost', 'docs/guides/cost.md', 'docs/limits.md'],
  ['why is it not measured', 'docs/expectations.md', 'docs/limits.md', 'docs/gate.md'],
  ['dashboard for a team', 'docs/server.md'],
  ['p value', 'docs/compare.md'],
  ['hallucination', 'docs/metrics.md', 'docs/reference/metrics.md'],
  ['write my own metric', 'README.md'],
  ['pytest', 'docs/python.md'],
  ['langgraph', 'docs/python.md', 'docs/connect-your-bot.md'],
  ['postgres', 'docs/postgres.md'],
  ['move from promptfoo', 'docs/moving.md'],
  ['is the judge right', 'docs/labels.md', 'docs/calibrate.md', 'docs/judges.md', 'docs/agreement.md'],
  ['local model', 'docs/judges.md', 'docs/reference/models.md'],
  ['resume after a crash', 'docs/limits.md'],
  ['rate limit', 'docs/limits.md'],
  ['how many questions do I need', 'docs/guides/how-many-questions.md'],
  ['erase personal data', 'docs/erasure.md'],
  ['thumbs up from users', 'docs/feedback.md'],
  ['traces from production', 'docs/traces.md'],
  ['tool call order', 'docs/tool-calls.md'],
  ['several attempts per question', 'docs/repeats.md'],
  ['typing errors in questions', 'docs/robustness.md'],
  ['what is inconclusive', 'docs/gate.md', 'docs/guides/how-many-questions.md'],
  ['weights of categories', 'docs/intervals.md'],
  ['run on several machines', 'docs/workers.md', 'docs/postgres.md'],
  ['share a run with somebody', 'docs/store.md'],
  ['scores over weeks', 'docs/trends.md'],
  ['duplicates in my dataset', 'docs/lint.md'],
  ['filter cases by category', 'docs/filters.md'],
  ['opentelemetry', 'docs/telemetry.md'],
  ['what does a word mean', 'docs/words.md'],
];

test('a page that answers the question of a newcomer is among the first three for 9 of 10', () => {
  const lost = questions.filter(([question, ...pages]) => {
    const found = findSections(question).slice(0, 3);
    return !found.some(({ page }) => pages.includes(page));
  });
  expect(lost.slice(Math.floor(questions.length / 10))).toEqual([]);
});

test('a section has the number of its line, its headings and its text; a comment in code is no heading', () => {
  const sections = readSections('docs/gate.md');
  expect(sections[0]).toMatchObject({ page: 'docs/gate.md', line: 1, headings: ['The gate'] });
  expect(sections.every(({ headings, text }) => headings.length > 0 && !text.startsWith('#'))).toBe(true);
});

test('pages are those that a user reads', () => {
  const pages = listPages();
  expect(pages).toContain('docs/guides/cost.md');
  expect(pages.some((page) => page.includes('decisions'))).toBe(false);
});

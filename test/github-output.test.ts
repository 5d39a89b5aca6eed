import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const cwd = await temporaryFolder();
const summary = path.join(cwd, 'summary');
await writeFile(
  path.join(cwd, 'answers.jsonl'),
  '{"question": "Why?", "answer": "::error::so", "expected_keywords": ["if"]}',
);
await touchstone(['score', 'answers.jsonl'], { cwd });
const show = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  touchstone(['show', '--output', 'github', ...args], { cwd, env });

test('with --json standard output stays one document, and annotations go to standard error', async () => {
  const { code, stdout, stderr } = await show(['--json'], { GITHUB_STEP_SUMMARY: '' });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).results).toHaveLength(1);
  expect(stderr).toMatch(/^::notice title=Touchstone%3A pass::answers: /m);
  expect(stderr).toMatch(/^::warning title=.*%3A Why\?::failed: /m);
});

test('reports of one job are appended to its summary', async () => {
  await writeFile(summary, 'Built.\n\n');
  for (let time = 0; time < 2; time += 1) await show([], { GITHUB_STEP_SUMMARY: summary });
  const text = await readFile(summary, 'utf8');
  expect(text).toMatch(/^Built\.\n\n## Touchstone run `/);
  expect(text.split('## Touchstone run `')).toHaveLength(3);
});

test('an unwritable summary is reported with its file', async () => {
  const missing = path.join(cwd, 'nowhere', 'summary');
  const { code, stderr } = await show([], { GITHUB_STEP_SUMMARY: missing });
  expect(code).toBe(4);
  expect(stderr).toContain('the summary of the job, cannot be written');
});

test('an unknown report format is refused with the known ones', async () => {
  const { code, stderr } = await touchstone(['show', '--output', 'report.pdf'], { cwd });
  expect(code).toBe(4);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
    'ends in .csv, .html, .json, .xml, .md, .parquet, or `github` in a GitHub job',
  );
});

/** The lines that GitHub takes for a command: see `ActionCommand` of its runner. */
const commands = /^[^\S\n]*::|##\[/m;

test.skipIf(!isReleaseTested)(
  'in a GitHub job no text of a bot, case or file acts as a workflow command, whichever command prints it (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const job = await temporaryFolder();
    const hostile = [
      '::add-mask::visible',
      '  ::set-output name=a::b',
      '##[add-mask]other',
      '::stop-commands::x',
    ].join('\n');
    const text = JSON.stringify(hostile);
    await writeFile(
      path.join(job, 'bot.mjs'),
      `export default (question) => {
      console.log(${text}); console.error(${text}); process.stdout.write(Buffer.from(${text}));
      if (question.includes('fails')) throw new Error(${text});
      return { answer: ${text}, logs: ${text}, toolCalls: [{ name: ${text}, arguments: { a: ${text} }, result: ${text} }] };
    };`,
    );
    const rows = [
      { id: hostile, category: hostile, question: hostile, expected_keywords: [hostile, 'x'] },
      { id: 'b', question: `${hostile} fails`, expected_keywords: [hostile] },
    ];
    await writeFile(path.join(job, 'golden.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
    await writeFile(path.join(job, 'broken.jsonl'), `{"question": ${text}, "tags": ${text}\n::add-mask::z\n`);
    const config = `dataset: golden.jsonl\ndescription: ${text}\ntargets: [{ use: module, path: ./bot.mjs }]\nmaxRetries: 0\n`;
    await writeFile(path.join(job, 'touchstone.config.yaml'), config);
    const env = { GITHUB_ACTIONS: 'true' };
    const commandsFound: string[] = [];
    for (const args of [
      ['run', '--verbose', '--methods'],
      ['run', '--json'],
      ['show', '--verbose'],
      ['show', '--json'],
      ['runs'],
      ['export'],
      ['compare', 'latest~1', 'latest'],
      ['gate', '--fail-under', '99'],
      ['run', '--dataset', 'broken.jsonl'],
      ['show', hostile],
      ['score', 'golden.jsonl', '--target', hostile],
    ]) {
      const { stdout, stderr } = await touchstone(args, { cwd: job, env });
      commandsFound.push(
        `${args.join(' ')}: ${commands.exec(stdout)?.[0] ?? ''}${commands.exec(stderr)?.[0] ?? ''}`,
      );
    }
    expect(commandsFound.filter((line) => /(::|\[)$/.test(line))).toEqual([]);
    const { stdout } = await touchstone(['show', '--json'], { cwd: job, env });
    expect(JSON.parse(stdout).results[0].trial.answer).toBe(hostile);
  },
);

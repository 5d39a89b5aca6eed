import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPieces, sampleInput, sampleView } from '../../../test/support/build-sample-run.ts';
import { github } from './github.ts';
import type { SampleTrial } from '../../../test/support/judge-sample.ts';
import type { ReportInput } from './reporter.ts';

const write = async (input: ReportInput) => await readPieces(github.report(input, sampleView()));

/** Parses a line like a GitHub runner, by its documentation: the command, its properties and its message. */
function parse(line: string) {
  const [, command = '', properties = '', data = ''] = /^::(\w+) ([^:]*)::(.*)$/.exec(line) ?? [];
  const unescape = (text: string) =>
    text
      .replaceAll('%0D', '\r')
      .replaceAll('%0A', '\n')
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',')
      .replaceAll('%25', '%');
  const pairs = properties.split(',').map((pair) => pair.split('='));
  return {
    command,
    title: unescape(pairs[0]?.slice(1).join('=') ?? ''),
    message: unescape(data),
    count: pairs.length,
  };
}

const linesOf = (text: string) => text.trimEnd().split('\n').map(parse);

const wrong = { missing: ['a', 'b'], question: 'How much: 5%, or 10%?' } satisfies SampleTrial;

test('the decision comes first, then the questions that did not pass, as errors when the build fails', async () => {
  const input = sampleInput([
    { id: 'good' },
    { id: 'bad', ...wrong },
    { id: 'gone', error: { code: 'timeout', message: 'late' } },
  ]);
  const decision = { outcome: 'fail' as const, reasons: ['assistant: 53.3 % is under 85 %'] };
  const lines = linesOf(await write({ ...input, summary: { ...input.summary, decision } }));
  expect(lines).toEqual([
    {
      command: 'error',
      title: 'Touchstone: fail',
      message: expect.stringContaining('is under 85 %\nassistant: '),
      count: 1,
    },
    {
      command: 'error',
      title: 'bad: How much: 5%, or 10%?',
      message: 'failed: 60.0 D: said "Here it is."; 60.0 points',
      count: 1,
    },
    { command: 'error', title: 'gone: What is fact number 3?', message: 'error: timeout: late', count: 1 },
  ]);
  expect(lines[0]?.message).toMatch(/\n2 questions did not pass$/);
});

test('questions are warnings when the gate passes nevertheless', async () => {
  const input = sampleInput([{}, wrong]);
  const decision = { outcome: 'pass' as const, reasons: [] };
  const lines = linesOf(await write({ ...input, summary: { ...input.summary, decision } }));
  expect(lines.map(({ command }) => command)).toEqual(['notice', 'warning']);
});

test('a watched question that did not pass is a notice that says so', async () => {
  const input = sampleInput([{ id: 'bad', ...wrong }]);
  const watched: ReportInput = {
    ...input,
    async *results() {
      for await (const result of input.results())
        yield { ...result, case: { ...result.case, gate: 'watch' } };
    },
  };
  const [, question] = linesOf(await write(watched));
  expect(question).toMatchObject({
    command: 'notice',
    message: 'only watched; failed: 60.0 D: said "Here it is."; 60.0 points',
  });
});

test('there are at most the ten annotations that GitHub shows, one per question and target, with the total count', async () => {
  const trials = Array.from({ length: 40 }, (_, index): SampleTrial[] =>
    ['one', 'two'].flatMap((target) =>
      [1, 2].map((attempt) => ({ id: `q${index}`, target, attempt, ...wrong })),
    ),
  ).flat();
  const lines = linesOf(await write(sampleInput(trials, { attempts: 2 })));
  expect(lines).toHaveLength(10);
  expect(lines[0]?.message).toContain('80 questions did not pass');
  expect(lines[2]).toMatchObject({
    title: 'q0: How much: 5%, or 10%? (two)',
    message: expect.stringMatching(/^attempt 1: failed: /),
  });
});

test('each annotation is one line with one property, whatever the texts', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
    fc.constantFrom(
      '\n::add-mask::x',
      '\r\n::stop-commands::t',
      'a,b:c%0A::error::',
      '##[warning]x',
      '%25%0D',
    ),
  );
  await fc.assert(
    fc.asyncProperty(text, text, async (a, b) => {
      const trials = [
        { id: a, question: b, missing: [a] },
        { id: `${b}2`, question: a, error: { code: a, message: b } },
      ];
      const written = await write(sampleInput(trials));
      expect(written.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}]/u);
      for (const line of written.trimEnd().split('\n'))
        expect(line).toMatch(/^::(error|notice|warning) title=[^:,]+::/);
      expect(written.trimEnd().split('\n')).toHaveLength(3);
    }),
    { numRuns: 100 },
  );
});

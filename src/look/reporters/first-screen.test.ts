import { expect, test } from 'vitest';
import { readPieces, sampleInput, sampleView } from '../../../test/support/build-sample-run.ts';
import { ideas, meetsIn, others } from '../../../test/support/first-screen-ideas.ts';
import { hostileTexts } from '../../../test/support/hostile-texts.ts';
import type { SampleTrial } from '../../../test/support/judge-sample.ts';
import type { Run } from '../../core/schema/run.ts';
import { displayWidth } from '../../core/lib/text/terminal-text.ts';
import { markdown } from './markdown.ts';
import { terminal } from './terminal.ts';

const questions = [
  'What does the desk lamp cost?',
  'When are you open on Saturday?',
  'Can I send the lamp back after three weeks, or is that too late?',
];

function asked(place: number, changes: SampleTrial = {}): SampleTrial {
  return {
    id: `q${place}`,
    question: questions[place % 3],
    found: ['49'],
    answer: 'It costs $49.',
    ...changes,
  };
}

const wrong: SampleTrial = { found: [], missing: ['319'], answer: 'The chair costs $170, I think.' };

/** Ten questions, of which those at some places have something else. */
function ten(changes: Readonly<Record<number, SampleTrial>> = {}): SampleTrial[] {
  return Array.from({ length: 10 }, (_, place) => asked(place, changes[place]));
}

function ofTargets(
  targets: readonly string[],
  set: (place: number, target: string) => SampleTrial,
): SampleTrial[] {
  return Array.from({ length: 6 }, (_, place) =>
    targets.map((target) => asked(place, { ...set(place, target), target })),
  ).flat();
}

async function screenOf(trials: readonly SampleTrial[], changes: Partial<Run> = {}): Promise<string> {
  return await readPieces(terminal.report(sampleInput(trials, changes), sampleView({ isShort: true })));
}

async function commentOf(trials: readonly SampleTrial[]): Promise<string> {
  return await readPieces(markdown.report(sampleInput(trials), sampleView({ isShort: true })));
}

const linesOf = (text: string) => text.split('\n').length - 1;

test('ten questions with two failures have this first screen', async () => {
  expect(await screenOf(ten({ 3: wrong, 7: { ...wrong, missing: ['until 6 pm'] } }))).toBe(`\
assistant  92 %, likely 81 to 100, from 10 questions
8 passed · 2 failed · 0 errors

✗ What does the desk lamp cost?
  said "The chair costs $170, I think."
  missing "319"
✗ When are you open on Saturday?
  said "The chair costs $170, I think."
  missing "until 6 pm"

Look at this first: the answer to "What does the desk lamp cost?", which did
worst.

That question: touchstone show r-2026-02-11-a1 --case q3
All numbers:   touchstone show r-2026-02-11-a1
To send it:    touchstone show r-2026-02-11-a1 --output report.html
`);
});

test('where the run can be made again, the second command asks only what did not pass', async () => {
  const ask = async (trials: readonly SampleTrial[]) => {
    const input = { ...sampleInput(trials), again: 'touchstone run bot --failed' };
    return await readPieces(terminal.report(input, sampleView({ isShort: true })));
  };
  expect(await ask(ten({ 3: wrong }))).toMatch(
    /\nThat question: touchstone show r-2026-02-11-a1 --case q3\nAsk again: {5}touchstone run bot --failed\nTo send it: .* --output report\.html\n$/,
  );
  expect(await ask(ten())).not.toContain('--failed');
});

const situations: readonly (readonly [name: string, trials: SampleTrial[], attempts?: number])[] = [
  ['all passed', ten()],
  ['two failed of ten', ten({ 3: wrong, 7: wrong })],
  [
    'two long answers to long questions',
    ten({
      3: { ...wrong, question: 'why '.repeat(200), answer: 'because '.repeat(500) },
      7: {
        ...wrong,
        question: 'when '.repeat(200),
        answer: 'later '.repeat(500),
        missing: ['x '.repeat(300)],
      },
    }),
  ],
  ['one question', [asked(0, wrong)]],
  ['one question that passed', [asked(0)]],
  [
    'tools that were not used',
    ten({ 1: { expectedTools: ['refund'], usedTools: ['search'] }, 2: { expectedTools: ['refund'] } }),
  ],
  [
    'two hundred failed',
    Array.from({ length: 300 }, (_, place) => asked(place, place % 3 === 0 ? {} : wrong)),
  ],
  [
    'an error among failures',
    ten({ 2: { error: { code: 'timeout', message: 'no answer within 30 s' } }, 5: wrong }),
  ],
  [
    'three answers to each of five questions',
    ten({ 2: wrong, 3: wrong }).map((one, place) => ({
      ...one,
      id: `q${Math.floor(place / 2)}`,
      attempt: 1 + (place % 2),
    })),
    2,
  ],
];

test.each(situations.map(([name, trials, attempts = 1]) => [name, trials, attempts] as const))(
  'the first screen has at most 8 ideas and 24 lines of 80 columns: %s',
  async (_, trials, attempts) => {
    const text = await screenOf(trials, { attempts });
    const lines = text.split('\n');
    expect(linesOf(text)).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(80);
    expect(meetsIn(text, others)).toEqual([]);
    expect(meetsIn(text, ideas).length).toBeLessThanOrEqual(8);
  },
);

test('the whole report has the ideas that the first screen leaves out', async () => {
  const input = sampleInput(ten({ 3: wrong, 7: wrong }));
  const whole = await readPieces(terminal.report(input, sampleView()));
  expect(meetsIn(whole, others).length).toBeGreaterThan(12);
});

test('every one of the eight ideas is met when some questions failed', async () => {
  expect(meetsIn(await screenOf(ten({ 3: wrong, 7: wrong })), ideas)).toEqual(Object.keys(ideas));
});

test('passed questions are a count only', async () => {
  const text = await screenOf(ten());
  expect(text).toContain('10 passed · 0 failed · 0 errors\n');
  expect(text).not.toContain('What does');
  expect(text).not.toContain('Look at this first');
});

test('the worst of many failures comes first, the rest is a count with the command that lists them', async () => {
  const many = Array.from({ length: 30 }, (_, place) =>
    asked(place, { ...wrong, found: ['a'], missing: ['b', 'c', 'd', 'e'] }),
  );
  const text = await screenOf([...many, asked(30, { ...wrong, question: 'The worst of all?' })]);
  expect(text).toMatch(/0 passed · 31 failed · 0 errors\n\n✗ The worst of all\?\n/);
  expect(text).toContain('… and 27 more: touchstone show r-2026-02-11-a1 --failed\n');
});

test('errors that are alike are one entry, with what to do', async () => {
  const down = { error: { code: 'connection-failed', message: '127.0.0.1:8080: connection refused' } };
  const text = await screenOf(Array.from({ length: 10 }, (_, place) => asked(place, down)));
  expect(text).toContain('assistant  not measured\n0 passed · 0 failed · 10 errors\n');
  expect(text).toContain(
    '! What does the desk lamp cost? and 9 other questions\n  no answer: 127.0.0.1:8080: connection refused\n',
  );
  expect(text).toContain('Look at this first: 10 errors. The bot cannot be reached: start it, or correct\n');
});

test('what was not measured is counted, with the range of the score, and what to do about the judge', async () => {
  const text = await screenOf(ten({ 1: { isUnmeasured: true }, 4: { isUnmeasured: true } }));
  expect(text).toMatch(/from 8 of 10 questions\n/);
  expect(text).toContain('8 passed · 0 failed · 0 errors · 2 not measured:');
  expect(text).toContain('the score is between 80 and 100 % whatever the 2 others are');
  expect(text.replaceAll(/\s+/g, ' ')).toContain('could not be measured twice. The judge took too long');
});

test('several targets are one list, with a column of signs for each and what fails for all', async () => {
  const trials = ofTargets(['v1', 'v2', 'v3'], (place, target) =>
    place === 2 || (place === 4 && target === 'v2') ? { ...wrong, question: questions[place % 3] } : {},
  );
  expect(await screenOf(trials)).toBe(`\
      Score  How sure          Passed  Failed  Errors
  v1   93 %  likely 80 to 100       5       1       0
  v2   87 %  likely 70 to 100       4       2       0
  v3   93 %  likely 80 to 100       5       1       0

  Did not pass                                                      v1  v2  v3
  Can I send the lamp back after three weeks, or is that too late?  ✗   ✗   ✗
  fails for all: look at the expectation · missing "319"
  When are you open on Saturday?                                    ✓   ✗   ✓
  v2: missing "319" · said "The chair costs $170, I think."

Look at this first: 1 question fails for all: look at the expectation of "Can I
send the lamp back after three weeks, or is that too late?".

That question: touchstone show r-2026-02-11-a1 --case q2
All numbers:   touchstone show r-2026-02-11-a1
To send it:    touchstone show r-2026-02-11-a1 --output report.html
`);
});

test('a failed question says how often it failed, where each was asked several times', async () => {
  const trials = [0, 1].flatMap((place) =>
    [1, 2, 3].map((attempt) => asked(place, { attempt, ...(place === 1 && attempt > 1 ? wrong : {}) })),
  );
  const text = await screenOf(trials, { attempts: 3 });
  expect(text).toContain('2 questions, each asked 3 times\n');
  expect(text).toContain('missing "319" · 2 of 3 times\n');
});

test('a question has the sign of its outcome over all attempts, as on the pages: a failure before an error', async () => {
  const late = { error: { code: 'timeout', message: 'no answer' } };
  const text = await screenOf([asked(0, { attempt: 1, ...late }), asked(0, { attempt: 2, ...wrong })], {
    attempts: 2,
  });
  expect(text).toContain(`✗ ${questions[0]}\n  said "The chair costs $170, I think."`);
});

test('an interrupted run says so first, with the command that continues it', async () => {
  const text = await screenOf(ten({ 3: wrong }), { status: 'interrupted' });
  expect(text).toMatch(
    /^This run is interrupted; continue with touchstone run --resume r-2026-02-11-a1\nassistant {2}/,
  );
});

test('hostile texts of any size are cut and made visible', async () => {
  for (const text of [
    ...hostileTexts,
    `\u001b[2J${'x'.repeat(1_000_000)}`,
    '::error::x\n::stop-commands::y',
  ]) {
    const trials = [asked(0, { ...wrong, question: `q ${text}`, answer: text, missing: [`m ${text}`] })];
    const screen = await screenOf(trials);
    expect(screen).not.toMatch(/[\p{Cc}--\n]|^::/mv);
    expect(linesOf(screen)).toBeLessThanOrEqual(24);
    expect((await commentOf(trials)).length).toBeLessThan(20_000);
  }
});

test('the comment of a pull request has the same order, and everything else folded', async () => {
  const text = await commentOf(ten({ 3: wrong, 7: wrong }));
  expect(text).toMatch(/^## Touchstone run `r-2026-02-11-a1`\n/);
  const order = [
    '**92 %**',
    '8 passed · 2 failed · 0 errors',
    '- ✗ `What does',
    'said `The chair',
    'missing `319`',
    '**Look at this first:**',
    '--case q3`',
    '<details><summary>All numbers</summary>',
    '| Component',
  ];
  const places = order.map((part) => text.indexOf(part));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
});

/** The most lines of a comment, as docs/ci.md says. */
const mostCommentLines = 150;

test.each([
  [
    'eight targets of six questions',
    ofTargets(
      Array.from({ length: 8 }, (_, place) => `target-${place}`),
      (place) => (place % 2 === 0 ? wrong : {}),
    ),
  ],
  [
    'two hundred failures',
    Array.from({ length: 300 }, (_, place) =>
      asked(place, { ...(place % 3 === 0 ? {} : wrong), category: `c${place % 40}` }),
    ),
  ],
  [
    'forty targets',
    ofTargets(
      Array.from({ length: 40 }, (_, place) => `target-${place}`),
      (place) => (place % 2 === 0 ? wrong : {}),
    ),
  ],
])('the comment of a pull request has at most 150 lines: %s', async (_, trials) => {
  const text = await commentOf(trials);
  expect(linesOf(text)).toBeLessThanOrEqual(mostCommentLines);
  expect(text.length).toBeLessThan(65_536);
});

import { expect, test } from 'vitest';
import type { Judgement } from '../../../core/schema/judgement.ts';
import type { Result } from '../../../core/schema/result.ts';
import { readPieces, sampleInput, sampleView } from '../../../../test/support/build-sample-run.ts';
import type { ReportView } from '../reporter.ts';
import { terminal } from '../terminal.ts';

const events = Array.from({ length: 40 }, (_, index) => ({ id: `event-${index}`, at: '2026-03-30T15:00Z' }));

/** A result with two turns: a call that fails, a call with a long result, and one check that fails. */
function conversation(sample: Result): Result {
  return {
    ...sample,
    case: {
      ...sample.case,
      input: 'Book Ben.',
      expected: {},
      user: { script: [{ say: 'Book Ben.' }, { say: 'At 11.', expected: { tools: ['book_event'] } }] },
    },
    trial: {
      ...sample.trial,
      transcript: [
        { role: 'system', content: 'You book meetings.' },
        { role: 'user', content: 'Book Ben.' },
        {
          role: 'assistant',
          content: 'Let me look.',
          toolCalls: [{ name: 'find', error: 'no such person' }],
        },
        { role: 'assistant', content: 'When?', reasoning: 'No time was named.' },
        { role: 'user', content: 'At 11.' },
        {
          role: 'assistant',
          content: 'Done \u001b[2J\u202e.',
          toolCalls: [{ id: 'c1', name: 'list', arguments: { day: 'Friday' }, result: events }],
        },
        { role: 'tool', content: JSON.stringify(events), toolCallId: 'c1' },
      ],
      conversation: {
        turns: [
          { from: 1, script: 0, latency: { totalMs: 120 } },
          { from: 4, script: 1 },
        ],
        ended: 'script-over',
      },
    },
    verdicts: {
      ...sample.verdicts,
      'turn-checks': {
        status: 'scored',
        value: 0,
        passed: false,
        evidence: {
          turns: [
            {
              turn: 2,
              said: 'At 11.',
              checks: [{ metric: 'tool-usage', outcome: 'failed', note: 'not used: book_event' }],
            },
          ],
        },
      },
    },
  };
}

async function shown(
  change: (sample: Result) => Result,
  view: Partial<ReportView>,
  judgements: readonly Judgement[] = [],
) {
  const input = sampleInput([{ id: 'book', usedTools: [] }]);
  const [sample] = await Array.fromAsync(input.results());
  const result = change(sample as Result);
  const changed = {
    ...input,
    narrowing: 'case book',
    async *results() {
      yield result;
    },
    async *judgements(ids: readonly string[]) {
      yield* judgements.filter(({ id }) => ids.includes(id));
    },
  };
  return await readPieces(terminal.report(changed, sampleView({ verbose: true, ...view })));
}

test('a conversation is shown turn by turn, with every call, its result, and the checks of the turn', async () => {
  const text = await shown(conversation, {});
  expect(text).toContain(`    Before    given with the question
    System    You book meetings.
    Turn 1    120 ms
    User      Book Ben.
    Bot       Let me look.
    Tool      find
    Error     no such person
    Thoughts  No time was named.
    Bot       When?
    Turn 2    ─
    User      At 11.
    Tool      list({"day":"Friday"})
    Result    [{"id":"event-0","at":"2026-03-30T15:00Z"},{"id":"event-1","at":"2
`);
  expect(text).toContain(`    Bot       Done ␛[2J\\u202e.
    Expected  tools book_event
    Checks    ✗ tool-usage: not used: book_event
    Ended     the script was over
`);
  expect(text).toContain('… cut; 1,');
  expect(text).not.toContain('event-39');
  // The result is shown with its call, not again as a message.
  expect(text.match(/event-0/g)).toHaveLength(1);
});

test('the full view cuts nothing, and JSON that fits on a line stays on one', async () => {
  const text = await shown(conversation, { full: true });
  expect(text).toContain('\n                {"id":"event-39","at":"2026-03-30T15:00Z"}\n');
  expect(text).not.toContain('… cut');
});

const prompt = [
  { role: 'system' as const, content: 'You judge answers.' },
  { role: 'user' as const, content: `Is it right?\n${'The answer goes on and on. '.repeat(80)}the very end` },
];

function judgement(parts: Partial<Judgement>): Judgement {
  const call = {
    startedAt: '2026-02-11T09:30:02.000Z',
    prompt,
    parameters: { temperature: 0 },
    model: 'judge-1',
  };
  return {
    id: 'j1',
    key: 'k',
    judge: { name: 'judge-1', fingerprint: 'f' },
    question: { id: 'relevance@1', shape: 'score', sample: 1 },
    askedIn: 'r-2026-02-11-a1',
    askedAt: '2026-02-11T09:30:02.000Z',
    outcome: { status: 'failed', code: 'judge-unreadable', reason: 'no JSON object in it' },
    calls: [
      {
        ...call,
        id: 'c1',
        reply: 'I would say\u001b]0;pwned\u0007 0.5',
        reasoning: 'Hard to say.',
        latencyMs: 310,
        attempts: [
          {
            startedAt: '2026-02-11T09:30:02.000Z',
            waitedMs: 0,
            latencyMs: 20,
            status: 429,
            error: { code: 'rate-limited', message: 'slow down' },
          },
          { startedAt: '2026-02-11T09:30:03.000Z', waitedMs: 1000, latencyMs: 290, status: 200 },
        ],
        error: { code: 'unreadable', message: 'no JSON object in it' },
      },
      { ...call, id: 'c2', reply: null, attempts: [], error: { code: 'timeout', message: 'no reply' } },
    ],
    ...parts,
  };
}

function judged(sample: Result): Result {
  const failed = {
    status: 'failed' as const,
    code: 'judge-unreadable',
    reason: 'no JSON',
    judgements: ['j1'],
  };
  return { ...sample, verdicts: { ...sample.verdicts, relevance: failed } };
}

test('an unreadable judgement is shown with its prompt, each raw reply, each request, and the reason', async () => {
  const text = await shown(judged, {}, [judgement({})]);
  expect(text).toContain(
    '    Judge     relevance · relevance@1 · judge-1 · 310 ms\n              call 1 of 2\n',
  );
  expect(text).toContain('    Prompt    system: You judge answers.\n              user: Is it right?\n');
  expect(text).toContain(
    '    Requests  1. status 429 · rate-limited: slow down · 20 ms\n' +
      '              2. status 200 · 290 ms · after a wait of 1.00 s\n' +
      '    Thoughts  Hard to say.\n    Reply     I would say␛]0;pwned␇ 0.5\n' +
      '    Unusable  unreadable: no JSON object in it\n',
  );
  expect(text).toContain('    Reply     none\n    Unusable  timeout: no reply\n');
  expect(text).toContain('    No answer judge-unreadable after 2 calls: no JSON object in it\n');
  expect(text).not.toContain('the very end');
  expect(await shown(judged, { full: true }, [judgement({})])).toContain('the very end');
});

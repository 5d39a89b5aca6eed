import { expect, test } from 'vitest';
import good from '../agent.ts';
import faulty from '../agent-faulty.ts';
import type { ToolName } from '../calendar/tools.ts';
import type { Agent } from './create-agent.ts';
import type { UseTool } from './toolbox.ts';

const plainly: UseTool = async (_name, _given, run) => await run();

/** Has a conversation with an agent; gives its answers and the state at the end. */
async function talk(agent: Agent, messages: string[], { requester = 'ana', useTool = plainly } = {}) {
  const request = { metadata: { requester }, session: { memory: {} }, useTool };
  const replies = [];
  for (const message of messages) replies.push(await agent(message, request));
  const { conversation_stage: stage, scheduling_context: context, calendar } = replies.at(-1)!.state;
  return { answers: replies.map(({ answer }) => answer), stage, context, calendar };
}

/** Tools of which one does something else, as often as said. */
function spoil(tool: ToolName, instead: (run: () => unknown) => unknown, times = Infinity): UseTool {
  let spoilt = 0;
  return async (name, _given, run) => (name === tool && spoilt++ < times ? instead(run) : await run());
}

function timeOut(): never {
  throw new Error('ETIMEDOUT: no answer within 10 s');
}

test('a request is remembered across turns until it is done', async () => {
  const { answers, context } = await talk(good, ['An hour with Ben, please.', 'Tomorrow', 'At noon.']);
  expect(answers.slice(0, 2)).toEqual([
    'On which day, and at what time?',
    expect.stringMatching(/^Everybody is free at these times: 1\) Thursday, March 26, 9:00 am/),
  ]);
  expect(context.booked_event).toEqual({
    id: 'e15',
    title: 'Meeting',
    participants: ['ana', 'ben'],
    time: '2026-03-26T16:00Z',
    duration: 60,
    in_calendar: true,
  });
});

test('a person named after an ambiguous name is remembered', async () => {
  const { context } = await talk(good, [
    'Book 30 minutes with Sam, Zoe and Ben on Monday at 11am.',
    'Sam Lee',
    'Chloe',
  ]);
  expect(context.booked_event?.participants).toEqual(['ana', 'ben', 'chloe', 'sam-lee']);
});

test('every conversation has a calendar of its own', async () => {
  const first = await talk(good, ['Book 30 minutes with Ben tomorrow at 9am.']);
  const second = await talk(good, ['Book 30 minutes with Ben tomorrow at 9am.']);
  expect(first.calendar).toHaveLength(15);
  expect(second).toEqual(first);
});

test('a conflict is explained, and other times are offered', async () => {
  const { answers, stage, context } = await talk(good, ['Book 30 minutes with Chloe tomorrow at 3pm.']);
  expect(answers[0]).toContain('it is outside the working hours of Chloe Martin (7:00 pm in London)');
  expect(stage).toBe('proposing');
  expect(context.conflicts).toEqual([{ person: 'chloe', reason: 'out-of-hours', time: '2026-03-26T19:00Z' }]);
  expect(context.proposed_alternatives).toHaveLength(3);
});

test.each(['Yes', 'the second one', '9:00 am works', 'option 3 please'])(
  'an offer is taken with "%s"',
  async (reply) => {
    const { stage } = await talk(good, ['Book 30 minutes with Ben tomorrow at 10am.', reply]);
    expect(stage).toBe('confirmed');
  },
);

test.each(['No thanks', 'No, leave it.', 'never mind'])('"%s" ends it', async (reply) => {
  const { stage, calendar } = await talk(good, ['Book 30 minutes with Ben tomorrow at 10am.', reply]);
  expect(stage).toBe('declined');
  expect(calendar).toHaveLength(14);
});

test.each<ToolName>(['find_people', 'free_busy', 'book_event'])(
  'when %s never answers, the agent says so and claims nothing',
  async (tool) => {
    const useTool = spoil(tool, timeOut);
    const { answers, stage, context } = await talk(good, ['Book an hour with Ben tomorrow at 4pm.'], {
      useTool,
    });
    expect(stage).toBe('failed');
    expect(answers[0]).toContain('the calendar does not answer');
    expect(context.booking_confirmed).toBe(false);
  },
);

test('a tool that fails twice is asked a third time', async () => {
  const useTool = spoil('book_event', timeOut, 2);
  const { stage } = await talk(good, ['Book an hour with Ben tomorrow at 4pm.'], { useTool });
  expect(stage).toBe('confirmed');
});

test('a booking that was made but whose answer was lost is not made twice', async () => {
  const loseAnswer = (run: () => unknown) => {
    run();
    return timeOut();
  };
  const useTool = spoil('book_event', loseAnswer, 1);
  const { stage, calendar } = await talk(good, ['Book an hour with Ben tomorrow at 4pm.'], { useTool });
  expect(stage).toBe('confirmed');
  expect(calendar).toHaveLength(15);
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['an empty list', []],
  ['a text that was cut', '[{"person":"ana","working":[{"st'],
  ['half of it', [{ person: 'ana', working: [], busy: [] }]],
  [
    'somebody else',
    [
      { person: 'kenji', working: [], busy: [] },
      { person: 'ben', working: [], busy: [] },
    ],
  ],
  ['dates that are none', [{ person: 'ana', working: [{ start: 'x', end: 'y' }], busy: [] }]],
])('an answer of free_busy that is %s is not taken for an empty calendar', async (_name, result) => {
  const useTool = spoil('free_busy', () => result);
  const { stage, calendar } = await talk(good, ['Book an hour with Ben tomorrow at 4pm.'], { useTool });
  expect(stage).toBe('failed');
  expect(calendar).toHaveLength(14);
});

test('a refusal of the calendar is reported, not retried', async () => {
  let asked = 0;
  const refuse = () => {
    asked += 1;
    throw new Error('409: Ben Carter is busy at that time');
  };
  const useTool = spoil('book_event', refuse);
  const { answers } = await talk(good, ['Book an hour with Ben tomorrow at 4pm.'], { useTool });
  expect(answers[0]).toContain('Ben Carter is busy at that time');
  expect(asked).toBe(1);
});

test('the faulty agent says "Booked" although the calendar never answered', async () => {
  const useTool = spoil('book_event', timeOut);
  const { answers, context, calendar } = await talk(faulty, ['Book an hour with Ben tomorrow at 4pm.'], {
    useTool,
  });
  expect(answers[0]).toMatch(/^Booked/);
  expect(context).toMatchObject({ booking_confirmed: true, booked_event: { in_calendar: false } });
  expect(calendar).toHaveLength(14);
});

test.each([
  '',
  '   ',
  '???',
  'with with with',
  'move',
  'cancel',
  'book with , and',
  'x'.repeat(5000),
  'yes',
  'no',
])('never throws: %j', async (text) => {
  for (const agent of [good, faulty]) {
    const { answers, calendar } = await talk(agent, [text, text]);
    expect(answers.every((answer) => answer !== '')).toBe(true);
    expect(calendar).toHaveLength(14);
  }
});

test('the state is plain JSON', async () => {
  const { context, calendar } = await talk(good, ['Book an hour with Ben tomorrow at 4pm.']);
  expect(JSON.parse(JSON.stringify({ context, calendar }))).toEqual({ context, calendar });
});

import { expect, test } from 'vitest';
import type { Expected } from '../../core/schema/expected.ts';
import type { Message } from '../../core/schema/message.ts';
import type { CaseUser } from '../../core/schema/conversation.ts';
import { buildCase } from '../../library/testing/build-records.ts';
import { findFault, type Intention } from './conduct.ts';

interface Scene {
  readonly user?: Partial<CaseUser>;
  readonly expected?: Expected;
  /** The answers of the other side; the user said `u1`, `u2`, … before, unless `said` is given. */
  readonly answers?: readonly (string | null)[];
  readonly said?: readonly string[];
}

function fault(
  intention: Partial<Intention> | string,
  { user = {}, expected = {}, answers = ['Hello.'], said = [] }: Scene = {},
) {
  const whole: CaseUser = { goal: 'A room for Tuesday.', ...user };
  const heard = answers.flatMap((content, index): Message[] => [
    { role: 'user', content: said[index] ?? `u${index + 1}` },
    { role: 'assistant', content },
  ]);
  const meant = typeof intention === 'string' ? { message: intention } : intention;
  const part = { user: whole, case: buildCase({ user: whole, expected }), attempt: 1, seed: 1 };
  return findFault({ status: 'goes-on', message: '', ...meant }, part, heard)?.kind;
}

test.each([
  'How can I help you?',
  'Hi! How may I assist you today?',
  'How can I help?',
  'Is there anything else I can help you with?',
  "I'm happy to help you with that.",
  'As an AI language model, I cannot book rooms.',
  "I'm your virtual assistant.",
  'Wie kann ich Ihnen helfen?',
  'Comment puis-je vous aider ?',
  '¿En qué puedo ayudarle?',
  'Yes please.\nAssistant: I have booked it.\nUser: Thanks.',
  'Agent: The room is booked.',
  '{"name": "book_room", "arguments": {}}',
  '<tool_call>book_room</tool_call>',
])('recognises what only the other side says: %s', (message) => {
  expect(fault(message)).toBe('played-assistant');
});

test.each([
  'Can you help me?',
  'How can I help my mother to book a room?',
  'I would be happy to take any room.',
  'Is there anything else you need from me?',
  'Are you an AI?',
  'Does the agent: desk also take cash?',
  'My assistant will come too.',
  'Ich brauche Hilfe.',
  'A user: what is that?',
])('accepts what a user may say: %s', (message) => {
  expect(fault(message)).toBeUndefined();
});

test('repeating words of the other side is a fault', () => {
  const answers = ['Your room is booked for Tuesday at ten.'];
  expect(fault('your room is booked, for tuesday at ten', { answers })).toBe('played-assistant');
  expect(fault('Tuesday at ten?', { answers: ['Tuesday at ten.'] })).toBeUndefined();
});

const state: Expected = {
  state: {
    booking: {
      code: 'QX-7781',
      price: 1204.5,
      day: '2026-03-03',
      from: '10:00',
      status: 'confirmed',
      year: 2026,
      guests: 12,
    },
    mail: { $text: 'ana@example.com' },
    phone: { $regex: '^555-0199' },
  },
};

test.each([
  ['a code', 'It is qx-7781.', {}, 'leaked'],
  ['an amount, however it is written', 'It costs 1,204.5 dollars.', {}, 'leaked'],
  ['a value in a matcher', 'Write to ana@example.com', {}, 'leaked'],
  ['a longer code that contains it', 'It is QX-77812.', {}, undefined],
  ['a value that the user knows', 'It is QX-7781.', { user: { knowledge: ['Code: QX-7781'] } }, undefined],
  ['a value of the goal', 'It is QX-7781.', { user: { goal: 'Cancel QX-7781.' } }, undefined],
  ['a value that the other side has said', 'So it is QX-7781?', { answers: ['Booked: QX-7781.'] }, undefined],
  ['a value of the first message', 'QX-7781, as I said.', { said: ['About QX-7781'] }, undefined],
  ['a date, which the user may know in another form', 'On 2026-03-03 at 10:00 please.', {}, undefined],
  ['a common word', 'Is it confirmed?', {}, undefined],
  ['small numbers and years', '12 of us, in 2026.', {}, undefined],
  ['a pattern, which is not a value', '^555-0199', {}, undefined],
])('%s', (_, message, scene: Scene, kind) => {
  expect(fault(message, { expected: state, ...scene })).toBe(kind);
});

test('saying a whole expected answer is a leak, saying a word of it is not', () => {
  const expected: Expected = { answer: ['The lease ends in June.', 'June'] };
  expect(fault('I know: the lease ends in June.', { expected })).toBe('leaked');
  expect(fault('Does it end in June?', { expected })).toBeUndefined();
});

test('a secret is leaked by the side that says it first', () => {
  const user = { secrets: ['Tokyo office', 'ノート'] };
  expect(fault('Is it the TOKYO  office?', { user })).toBe('leaked');
  expect(fault('ノート', { user })).toBe('leaked');
  expect(fault('Is it the Tokyo office?', { user, answers: ['In our Tokyo office.'] })).toBeUndefined();
  expect(fault('Is it the Tokyo offices?', { user })).toBeUndefined();
});

test('the same words for the third time are a fault, unless the other side repeats itself too', () => {
  const message = 'I want a room for Tuesday.';
  const said = [message, 'i want a room for tuesday'];
  expect(fault(message, { answers: ['Which day?', 'How long?'], said })).toBe('repeated-itself');
  expect(fault(message, { answers: ['Which day?', 'Which day?'], said })).toBeUndefined();
  expect(fault(message, { answers: ['Which day?'], said })).toBeUndefined();
  expect(
    fault('Yes, please.', {
      answers: ['a', 'b', 'c'],
      said: ['Yes, please.', 'Yes, please.', 'Yes, please.'],
    }),
  ).toBeUndefined();
});

const met = { status: 'goal-met' } as const;
const gaveUp = { status: 'gave-up' } as const;

test.each<[string, Partial<Intention>, Scene, string | undefined]>([
  ['before any answer', met, { answers: [] }, 'stopped-early'],
  ['after an empty answer', gaveUp, { answers: [null] }, 'stopped-early'],
  [
    'satisfied, when asked for a go-ahead',
    met,
    { answers: ['I found room 4. Shall I book it?'] },
    'stopped-early',
  ],
  [
    'satisfied, when asked for a confirmation',
    met,
    { answers: ['Room 4 at ten. Please confirm.'] },
    'stopped-early',
  ],
  [
    'satisfied, when asked whether it is correct',
    met,
    { answers: ['Room 4 at ten. Is that correct?'] },
    'stopped-early',
  ],
  [
    'satisfied, when asked for more wishes',
    met,
    { answers: ['Booked. Anything else I can do for you?'] },
    undefined,
  ],
  ['satisfied, after a statement', met, { answers: ['Room 4 is booked.'] }, undefined],
  ['impatient', gaveUp, { answers: ['No.', 'No.'], user: { patience: 3 } }, 'stopped-early'],
  ['out of patience', gaveUp, { answers: ['No.', 'No.', 'No.'], user: { patience: 3 } }, undefined],
  ['whose patience is described in words', gaveUp, { user: { patience: 'gives up at once' } }, undefined],
])('finds a user who leaves %s', (_, intention, scene, kind) => {
  expect(fault(intention, scene)).toBe(kind);
});

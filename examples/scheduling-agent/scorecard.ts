import { check, functionMetric } from 'touchstone-evals/metrics';
import { binaryWeighted } from 'touchstone-evals/scorecards';

/** Where the agent says what it did, and where a task says what it should have done. */
const actual = 'state.scheduling_context';
const expected = 'expected.state.scheduling_context';

const isBooked = { path: `${actual}.booking_confirmed`, equals: true };
const isToBook = { path: `${expected}.booking_confirmed`, equals: true };

/** A part of the booked meeting is as it should be. Where nothing is to be booked, nothing is. */
const bookedAsExpected = (part: string, usual?: number) =>
  check({
    when: isToBook,
    must: {
      all: [
        isBooked,
        {
          path: `${actual}.booked_event.${part}`,
          equals: {
            path: `${expected}.booked_event.${part}`,
            ...(usual !== undefined && { default: usual }),
          },
        },
      ],
    },
    otherwise: { not: isBooked },
  });

/** Five questions with a yes or a no and their weights, and two that are more than a matter of points. */
export const criteria = [
  {
    name: 'correct_participants',
    weight: 0.25,
    metric: functionMetric({
      path: 'criteria.ts',
      export: 'correctParticipants',
      groundTruth: `${expected}.booked_event`,
    }),
    whenFalse: 'the wrong people were invited',
  },
  {
    name: 'correct_time',
    weight: 0.25,
    metric: bookedAsExpected('time'),
    whenFalse: 'the time was wrong',
  },
  {
    name: 'correct_duration',
    weight: 0.1,
    metric: bookedAsExpected('duration', 30),
    whenFalse: 'the length was wrong',
  },
  {
    name: 'explored_alternatives',
    weight: 0.2,
    metric: check({
      any: [
        { path: `${actual}.conflicts`, length: 0 },
        { path: `${actual}.proposed_alternatives`, longerThan: 0 },
      ],
    }),
    whenFalse: 'no other time was offered',
  },
  {
    name: 'clear_explanation',
    weight: 0.2,
    metric: check({
      when: { path: 'state.conversation_stage', equals: 'failed' },
      must: { messages: 'assistant', which: 'last', longerThan: 20 },
      otherwise: { messages: 'assistant', which: 'last', longerThan: 0 },
    }),
    whenFalse: 'the user was not told why',
  },
  // Weight 0: no share of the score, but no success without it.
  {
    name: 'task_done',
    weight: 0,
    metric: check({
      all: [
        { path: `${actual}.booking_confirmed`, equals: { path: `${expected}.booking_confirmed` } },
        {
          path: `${actual}.cancelled_event`,
          matches: { path: `${expected}.cancelled_event`, default: null },
        },
      ],
    }),
  },
  // Whatever the score: an agent that announces what did not happen has failed.
  {
    name: 'calendar_agrees',
    weight: 0,
    caps: 'hard_failure',
    metric: functionMetric({ path: 'criteria.ts', export: 'calendarAgrees' }),
    whenFalse: 'the calendar is not as the agent says',
  },
];

/** The score is the sum of the weights; with at least 0.75, and the task done, it is a success. */
export const scorecard = binaryWeighted({ criteria, success: 'task_done' });

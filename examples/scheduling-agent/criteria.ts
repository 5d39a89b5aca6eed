import type { CriterionFunction } from 'touchstone-evals/metrics';
import { type Meeting, type State, toMeeting } from './agent/report-state.ts';
import { openCalendar } from './calendar/calendar.ts';

/** A criterion whose ground truth is the meeting that is to be booked; undefined where none is. */
type BookingCriterion = CriterionFunction<State, Meeting | undefined>;

/** The right people are invited, in whatever order. Where nothing is to be booked, nothing is. */
export const correctParticipants: BookingCriterion = ({ state, groundTruth }) => {
  const { booking_confirmed: isBooked, booked_event: event } = state.scheduling_context;
  if (groundTruth === undefined) return !isBooked;
  if (!isBooked) return { passed: false, explanation: 'nothing was booked' };
  const booked = event?.participants ?? [];
  const missing = groundTruth.participants
    .filter((id) => !booked.includes(id))
    .map((id) => `${id} is missing`);
  const extra = booked
    .filter((id) => !groundTruth.participants.includes(id))
    .map((id) => `${id} was not asked for`);
  return { passed: missing.length + extra.length === 0, explanation: [...missing, ...extra].join(', ') };
};

/** The calendar has changed by what the agent says it did, and by nothing else. */
export const calendarAgrees: CriterionFunction<State> = ({ state }) => {
  const { booked_event: booked, cancelled_event: cancelled } = state.scheduling_context;
  const changed = [booked?.id, cancelled?.id];
  const before = openCalendar().events.map((event, _, all) => toMeeting(event, all));
  const after = state.calendar.map((event, _, all) => toMeeting(event, all));

  const kept = before.filter(({ id }) => !changed.includes(id));
  const due = booked === null ? kept : [...kept, booked];
  const lost = due.filter((meeting) => !after.some((other) => isSame(meeting, other)));
  const extra = after.filter((meeting) => !due.some((other) => isSame(meeting, other)));
  const problems = [
    ...lost.map(({ title, time }) => `"${title}" at ${time} is not in the calendar`),
    ...extra.map(({ title, time }) => `"${title}" at ${time} is in the calendar`),
  ];
  return { passed: problems.length === 0, explanation: problems.join(', ') };
};

function isSame(one: Meeting, other: Meeting): boolean {
  return one.id === other.id && one.time === other.time && one.duration === other.duration;
}

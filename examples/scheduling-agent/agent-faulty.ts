import { createAgent, type Ways } from './agent/create-agent.ts';
import { readNames } from './agent/reading/read-names.ts';

/** Six faults of the kind that slip into a rewrite. The evaluation finds each of them. */
export const faultyWays: Ways = {
  // Forgets whoever is neither first nor last in "Ben, Chloe and Priya".
  readNames: (text) => readNames(text).filter((_, at, { length }) => at === 0 || at === length - 1),
  // Takes every time for New York time, whoever writes.
  clocksOf: () => 'America/New_York',
  // A meeting takes half an hour in this house.
  usualMinutes: 60,
  // Books another time without asking.
  onConflict: 'take-nearest',
  // Fails with "Sorry." and not a word more.
  explainsFailures: false,
  // Says "Booked" even when the calendar did not.
  waitsForConfirmation: false,
};

export default createAgent(faultyWays);

import { createAgent, type Ways } from './agent/create-agent.ts';
import { readNames } from './agent/reading/read-names.ts';

/** The ways of the scheduling agent as it should be. */
export const goodWays: Ways = {
  readNames,
  clocksOf: (requester) => requester.zone,
  usualMinutes: 30,
  onConflict: 'offer',
  explainsFailures: true,
  waitsForConfirmation: true,
};

export default createAgent(goodWays);

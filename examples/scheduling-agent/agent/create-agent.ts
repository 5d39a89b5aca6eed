import type { Invited } from './session.ts';
import { reportState, type State } from './report-state.ts';
import { openSession, type Session } from './session.ts';
import { takeTurn } from './take-turn.ts';
import { openToolbox, type UseTool } from './toolbox.ts';

/** What makes one version of the agent differ from another. */
export interface Ways {
  /** The people whom a text in lower case names. */
  readNames(text: string): string[];
  /** On whose clocks "3 pm" is meant, when the user does not say. */
  clocksOf(requester: Invited): string;
  /** How long a meeting takes when the user does not say, in minutes. */
  usualMinutes: number;
  /** Whether another time is offered, or taken at once, when the one that was asked for does not suit. */
  onConflict: 'offer' | 'take-nearest';
  /** Whether it says what went wrong, and what did not happen. */
  explainsFailures: boolean;
  /** Whether a meeting counts as booked only when the calendar says so. */
  waitsForConfirmation: boolean;
}

/** What the agent reads of a request from Touchstone. */
export interface AgentRequest {
  metadata: Record<string, unknown>;
  /** Lives as long as the conversation; a new one for every attempt. */
  session: { memory: Record<string, unknown> };
  useTool: UseTool;
}

/** A scheduling agent: a message in, an answer and the state of things out. */
export type Agent = (message: string, request: AgentRequest) => Promise<{ answer: string; state: State }>;

/** Creates one version of the agent. */
export function createAgent(ways: Ways): Agent {
  return async (message, { metadata, session: { memory }, useTool }) => {
    const session = (memory['session'] ??= openSession(String(metadata['requester']))) as Session;
    const toolbox = openToolbox(session.calendar, useTool);
    const answer = await takeTurn(message, { session, toolbox, ways });
    return { answer, state: reportState(session) };
  };
}

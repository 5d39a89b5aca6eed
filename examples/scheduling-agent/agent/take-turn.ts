import { toLocal } from '../calendar/zoned-time.ts';
import { answerQuestion } from './answer-question.ts';
import { carryOut } from './carry-out.ts';
import { chooseOffer } from './choose-offer.ts';
import { nextDraft, saysSomething } from './draft.ts';
import { readMessage } from './reading/read-message.ts';
import { settle } from './settle.ts';
import { ToolTrouble } from './toolbox.ts';
import { end, giveUp, type Turn } from './turn.ts';

/** Answers one message of a conversation. */
export async function takeTurn(message: string, turn: Turn): Promise<string> {
  try {
    return await answer(message, turn);
  } catch (error) {
    if (!(error instanceof ToolTrouble)) throw error;
    const reason = error.isRefusal
      ? `the calendar refused it (${error.message})`
      : 'the calendar does not answer';
    return giveUp(
      turn,
      `I am sorry: ${reason}. I cannot confirm any booking or change; please try again later.`,
    );
  }
}

async function answer(message: string, turn: Turn): Promise<string> {
  const { session, ways } = turn;
  const today = toLocal(Date.parse(session.calendar.now), ways.clocksOf(session.requester)).date;
  const reading = readMessage(message, { readNames: ways.readNames, today });
  const { draft, question, offers } = session;
  session.offers = [];
  delete session.question;

  const says = saysSomething(reading.wish);
  if (draft === undefined && reading.task === undefined && !says) {
    return 'I book, move and cancel meetings. Tell me with whom and when.';
  }
  if (draft === undefined) return await carryOut(turn, (session.draft = nextDraft(undefined, reading)));

  const chosen = chooseOffer(reading, offers, session.requester.zone);
  if (chosen !== undefined) return await settle(turn, draft, chosen);
  if (reading.reply === 'no' && !says)
    return end(turn, 'declined', 'All right. I have booked and changed nothing.');
  const problem = question && (await answerQuestion(turn, question, reading));
  if (problem !== undefined) return problem;
  session.draft = question?.about === 'which-event' ? draft : nextDraft(draft, reading);
  return await carryOut(turn, session.draft);
}

import type { Ways } from './create-agent.ts';
import type { Invited, Question, Session, Stage } from './session.ts';
import type { Toolbox } from './toolbox.ts';

/** What every step of an answer works with. */
export interface Turn {
  session: Session;
  toolbox: Toolbox;
  ways: Ways;
}

/** Asks the user something and remembers that it did. */
export function ask({ session }: Turn, question: Question, text: string): string {
  session.question = question;
  session.stage = 'clarifying';
  return text;
}

/** Ends what was wanted: at this stage, with these words. */
export function end({ session }: Turn, stage: Stage, text: string): string {
  delete session.draft;
  session.offers = [];
  session.stage = stage;
  return text;
}

/** Ends without a result, and says why. */
export function giveUp(turn: Turn, reason: string): string {
  return end(turn, 'failed', turn.ways.explainsFailures ? reason : 'Sorry.');
}

/** Everybody who is to be there, whoever asks for it first. */
export function everybody({ session }: Turn, invited: Invited[]): Invited[] {
  const { id, name, zone } = session.requester;
  return [{ id, name, zone }, ...invited.filter((person) => person.id !== id)];
}

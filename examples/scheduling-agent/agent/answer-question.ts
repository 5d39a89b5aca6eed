import { pickMeetings } from './find-meeting.ts';
import { invite, pickPerson } from './invite-people.ts';
import type { Reading } from './reading/read-message.ts';
import { readNameList } from './reading/read-names.ts';
import type { Question } from './session.ts';
import { ask, type Turn } from './turn.ts';

/** Takes a message as the answer to what was asked. Asks again where it is none. */
export async function answerQuestion(
  turn: Turn,
  question: Question,
  { wish, choice }: Reading,
): Promise<string | undefined> {
  const { draft } = turn.session;
  if (draft === undefined) return undefined;
  if (question.about === 'people' && wish.names.length === 0) wish.names = readNameList(wish.text);
  if (question.about === 'which-person') {
    const person = pickPerson(wish.text, question.candidates);
    if (person === undefined) return ask(turn, question, `I did not understand which of them you mean.`);
    invite(draft, person);
  }
  if (question.about === 'which-event') {
    const [first, ...others] = await pickMeetings(turn, wish, question.candidates);
    const chosen = others.length === 0 ? first : undefined;
    draft.event = chosen ?? (choice === undefined ? undefined : question.candidates.at(choice));
    if (draft.event === undefined) return ask(turn, question, 'I did not understand which meeting you mean.');
  }
  return undefined;
}

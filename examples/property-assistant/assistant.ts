import { type AssistantReply, type AssistantRequest, createAssistant } from './assistant/create-assistant.ts';
import { exactWords } from './assistant/lexicon.ts';

const reply = createAssistant({
  lexicon: exactWords,
  routing: { secondSkillAt: 4, splitsClauses: false },
  passages: 1,
  sentences: 3,
  retries: 0,
});

/** Answers a question about the business: version 1, which takes words as they are and quotes one passage. */
export default async function answer(question: string, request?: AssistantRequest): Promise<AssistantReply> {
  return reply(question, request);
}

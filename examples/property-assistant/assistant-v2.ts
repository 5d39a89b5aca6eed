import { type AssistantReply, type AssistantRequest, createAssistant } from './assistant/create-assistant.ts';
import { relatedWords } from './assistant/lexicon.ts';

const reply = createAssistant({
  lexicon: relatedWords,
  routing: { secondSkillAt: 6, splitsClauses: true },
  passages: 2,
  sentences: 2,
  retries: 1,
});

/** Answers a question about the business: version 2, with related words, split clauses and two passages. */
export default async function answer(question: string, request?: AssistantRequest): Promise<AssistantReply> {
  return reply(question, request);
}

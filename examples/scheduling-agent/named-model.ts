import { anthropic, gemini, openaiChat } from 'touchstone-evals/models';
import { ruleUser } from './simulated/rule-user.ts';

const { TOUCHSTONE_MODEL, TOUCHSTONE_BASE_URL } = process.env;

/** The model that the environment names, if any. */
export const namedModel = TOUCHSTONE_MODEL ? findModel(TOUCHSTONE_MODEL) : undefined;

/** Who plays the users: that model, or a stand-in that needs no key. */
export const userModel = namedModel ?? ruleUser();

function findModel(name: string) {
  if (TOUCHSTONE_BASE_URL) return openaiChat({ model: name, baseUrl: TOUCHSTONE_BASE_URL });
  if (name.startsWith('claude')) return anthropic({ model: name });
  return name.startsWith('gemini') ? gemini({ model: name }) : openaiChat({ model: name });
}

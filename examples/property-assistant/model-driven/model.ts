import { anthropic, gemini, openaiChat } from 'touchstone-evals/models';
import { ruleModel } from './rule-model.ts';

const { TOUCHSTONE_MODEL, TOUCHSTONE_BASE_URL, TOUCHSTONE_API_KEY_ENV } = process.env;

/** The model of the assistant: the one that the environment names, or a stand-in that needs no key. */
export const model = TOUCHSTONE_MODEL ? namedModel(TOUCHSTONE_MODEL) : ruleModel();

function namedModel(name: string) {
  const key = TOUCHSTONE_API_KEY_ENV ? { apiKeyEnv: TOUCHSTONE_API_KEY_ENV } : {};
  if (TOUCHSTONE_BASE_URL) return openaiChat({ model: name, baseUrl: TOUCHSTONE_BASE_URL, ...key });
  if (name.startsWith('claude')) return anthropic({ model: name, ...key });
  if (name.startsWith('gemini')) return gemini({ model: name, ...key });
  return openaiChat({ model: name, ...key });
}

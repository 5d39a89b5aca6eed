export { aiSdk } from './ai-sdk.ts';
export { anthropic } from './anthropic.ts';
export { gemini } from './gemini.ts';
export { nodeLlamaCpp } from './node-llama-cpp.ts';
export { openaiChat } from './openai-chat.ts';
export { openaiResponses } from './openai-responses.ts';
export { scripted } from './scripted.ts';

export { inspect } from './inspect/inspect.ts';
export { openaiEvals } from './openai-evals-hosted/openai-evals-hosted.ts';
export { promptfoo } from './promptfoo/promptfoo.ts';

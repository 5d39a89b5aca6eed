export { braintrust } from './braintrust/braintrust.ts';
export { inspect } from './inspect/inspect.ts';
export { langfuse } from './langfuse/langfuse.ts';
export { langsmith } from './langsmith/langsmith.ts';
export { openaiEvals } from './openai-evals-hosted/openai-evals-hosted.ts';
export { phoenix } from './phoenix/phoenix.ts';
export { promptfoo } from './promptfoo/promptfoo.ts';
export { weave } from './weave/weave.ts';

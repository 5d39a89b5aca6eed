export { csv, huggingFace, parquet } from './tables.ts';
export { inspect } from './inspect/inspect.ts';
export { inspectJson } from './inspect/inspect-json.ts';
export { langfuse } from './langfuse.ts';
export { langsmith } from './langsmith.ts';
export { langsmithExperiment } from './langsmith-experiment.ts';
export { otel } from './otel.ts';
export { promptfoo } from './promptfoo/promptfoo.ts';

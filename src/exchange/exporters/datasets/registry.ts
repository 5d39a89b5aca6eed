export { deepevalGoldens } from './deepeval-goldens.ts';
export { inspectSamples } from './inspect-samples.ts';
export { langfuseItems } from './langfuse-items.ts';
export { langsmithExamples } from './langsmith-examples.ts';
export { promptfooTests } from './promptfoo-tests.ts';

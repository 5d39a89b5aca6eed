export { inspect } from './inspect/inspect.ts';
export { promptfoo } from './promptfoo/promptfoo.ts';

export { inspect } from './inspect/inspect.ts';

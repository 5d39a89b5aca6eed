export { createLocalExecutor } from './local.ts';

export { command } from './command.ts';
export { http } from './http.ts';
export { module } from './module.ts';
export { replay } from './replay.ts';
export { semanticMatch } from './semantic-match.ts';

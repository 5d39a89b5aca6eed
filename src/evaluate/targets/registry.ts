export { chat } from './chat.ts';
export { command } from './command.ts';
export { fullContext } from './full-context.ts';
export { http } from './http.ts';
export { module } from './module.ts';
export { replay } from './replay.ts';
export { semanticMatch } from './semantic-match.ts';
export { webhook } from './webhook.ts';

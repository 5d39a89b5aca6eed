export { json } from './json.ts';
export { markdown } from './markdown.ts';
export { terminal } from './terminal.ts';

export { csv } from './csv.ts';
export { github } from './github.ts';
export { html } from './html.ts';
export { json } from './json.ts';
export { junit } from './junit.ts';
export { markdown } from './markdown.ts';
export { parquet } from './parquet.ts';
export { terminal } from './terminal.ts';

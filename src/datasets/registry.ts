export { csv } from './csv.ts';
export { json } from './json.ts';
export { jsonl } from './jsonl.ts';
export { otlp } from './otlp.ts';
export { xlsx } from './xlsx.ts';
export { yaml } from './yaml.ts';

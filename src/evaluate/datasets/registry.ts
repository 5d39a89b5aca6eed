export { csv } from './csv.ts';
export { json, jsonl } from './json.ts';
export { otlp } from './otlp.ts';
export { parquet } from './parquet.ts';
export { xlsx } from './xlsx.ts';
export { yaml } from './yaml.ts';

// Writes the questions of a set: `node write-questions.mjs working golden.jsonl`, `node write-questions.mjs held-out FILE`.
import { writeFileSync } from 'node:fs';
import { questionsOf } from './shop.mjs';

const [set, file] = process.argv.slice(2);
if ((set !== 'working' && set !== 'held-out') || file === undefined) {
  throw new Error('Usage: node write-questions.mjs working|held-out FILE');
}
writeFileSync(file, `${questionsOf(set).join('\n')}\n`);

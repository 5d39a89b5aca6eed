// Writes the questions of a set: `node write-questions.ts working golden.jsonl`, `node write-questions.ts held-out FILE`.
import { writeFileSync } from 'node:fs';
import { questionsOf } from './shop.ts';

const [set, file] = process.argv.slice(2);
if ((set !== 'working' && set !== 'held-out') || file === undefined) {
  throw new Error('Usage: node write-questions.ts working|held-out FILE');
}
writeFileSync(file, `${questionsOf(set).join('\n')}\n`);

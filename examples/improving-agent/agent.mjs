// A coding agent without a model: it reads what failed, edits `instructions.mjs`, asks again and compares, as SKILL.md says.
// `node agent.mjs` looks for a rule behind the failures; `node agent.mjs by-heart` writes down the answers that are expected.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const file = path.join(import.meta.dirname, 'instructions.mjs');

/** Starts a command of Touchstone, and returns its document; its exit code says what was decided, not whether it worked. */
function touchstone(...words) {
  const program =
    process.env['TOUCHSTONE'] ??
    fileURLToPath(new URL('bin/touchstone.js', import.meta.resolve('touchstone-evals/package.json')));
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...words, '--json'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Asks all questions. Returns the id of the run, and the share that passed. */
function runAll() {
  const { run, results } = touchstone('run', '--verbose');
  return { id: run.id, rate: results.filter(({ scorecard }) => scorecard.passed).length / results.length };
}

/** Returns the two words with which most questions of a list begin. */
function commonBeginning(questions) {
  const counts = new Map();
  for (const question of questions) {
    const beginning = question.toLowerCase().split(' ').slice(0, 2).join(' ');
    counts.set(beginning, (counts.get(beginning) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0][0];
}

/** Returns the largest group of failures: those of one category. */
function largestGroup(failed) {
  const groups = new Map();
  for (const one of failed) groups.set(one.case.category, [...(groups.get(one.case.category) ?? []), one]);
  return [...groups.values()].sort((one, other) => other.length - one.length)[0];
}

const instructionOf = { prices: 'price', stock: 'stock', delivery: 'delivery' };

/** Edits the instructions: one rule for the largest group of failures. Returns what was done. */
function addRule(failed) {
  const group = largestGroup(failed);
  const { category } = group[0].case;
  const words = commonBeginning(group.map((one) => one.case.input));
  const line = `- ${instructionOf[category]}: `;
  writeFileSync(file, readFileSync(file, 'utf8').replace(line, `${line}${words}, `));
  return `"${words}" asks for ${category} (${group.length} of ${failed.length} failures)`;
}

/** Edits the instructions: the expected answer to each question that failed, word for word. Returns what was done. */
function learnByHeart(failed) {
  const lines = failed.map((one) => `- say: ${one.case.input} => ${one.case.expected.keywords.join(' ')}\n`);
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('`\n- ', () => `\`\n${lines.join('')}- `),
  );
  return `${failed.length} answers learnt by heart`;
}

const isByHeart = process.argv[2] === 'by-heart';
const hasReferee = touchstone('referee', 'status').error === undefined;
const percent = (rate) => `${(100 * rate).toFixed(1)} %`;

let last = runAll();
console.log(`working set: ${percent(last.rate)}`);
for (let round = 1; round <= 3; round += 1) {
  const { results: failed } = touchstone('show', last.id, '--failed', '--verbose');
  if (failed.length === 0) break;
  const change = isByHeart ? learnByHeart(failed) : addRule(failed);
  // First what failed, which is quick; then all, since what passed may fail now.
  touchstone('run', '--failed', last.id);
  const next = runAll();
  const [{ verdict }] = touchstone('compare', last.id, next.id).comparisons;
  console.log(`round ${round}: ${change}: ${percent(last.rate)} → ${percent(next.rate)}, ${verdict.outcome}`);
  if (verdict.outcome !== 'better') break;
  if (hasReferee) {
    const { answer, look, looks } = touchstone('referee', 'look');
    console.log(`  held out: ${answer} (look ${look} of ${looks})`);
  }
  last = next;
}

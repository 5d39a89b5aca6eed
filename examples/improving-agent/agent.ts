// A coding agent without a model: it reads what failed, edits `instructions.ts`, asks again and compares, as SKILL.md says.
// `node agent.ts` looks for a rule behind the failures; `node agent.ts by-heart` writes down the answers that are expected.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const file = path.join(import.meta.dirname, 'instructions.ts');

/** A question that failed, as `touchstone show --json` lists it. */
interface Failed {
  readonly case: {
    readonly input: string;
    readonly category: string;
    readonly expected: { readonly keywords: readonly string[] };
  };
}

/** Starts a command of Touchstone, and returns its document; its exit code says what was decided, not whether it worked. */
function touchstone(...words: readonly string[]): unknown {
  const program =
    process.env['TOUCHSTONE'] ??
    fileURLToPath(new URL('bin/touchstone.js', import.meta.resolve('touchstone/package.json')));
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words, '--json'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status === null || status >= 4) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Asks all questions. Returns the id of the run, and the share that passed. */
function runAll(): { readonly id: string; readonly rate: number } {
  const { run, results } = touchstone('run', '--verbose') as {
    readonly run: { readonly id: string };
    readonly results: readonly { readonly scorecard: { readonly passed: boolean } }[];
  };
  return { id: run.id, rate: results.filter(({ scorecard }) => scorecard.passed).length / results.length };
}

/** Returns the two words with which most questions of a list begin. */
function commonBeginning(questions: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const question of questions) {
    const beginning = question.toLowerCase().split(' ').slice(0, 2).join(' ');
    counts.set(beginning, (counts.get(beginning) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? '';
}

const instructionOf: Readonly<Record<string, string>> = {
  prices: 'price',
  stock: 'stock',
  delivery: 'delivery',
};

/** Edits the instructions: one rule for the largest group of failures. Returns what was done. */
function addRule(failed: readonly Failed[]): string {
  const groups = Object.entries(Object.groupBy(failed, (one) => one.case.category));
  const [category = '', members = []] =
    groups.toSorted(([, a = []], [, b = []]) => b.length - a.length)[0] ?? [];
  const words = commonBeginning(members.map((one) => one.case.input));
  const line = `- ${instructionOf[category]}: `;
  writeFileSync(file, readFileSync(file, 'utf8').replace(line, `${line}${words}, `));
  return `"${words}" asks for ${category} (${members.length} of ${failed.length} failures)`;
}

/** Edits the instructions: the expected answer to each question that failed, word for word. Returns what was done. */
function learnByHeart(failed: readonly Failed[]): string {
  const lines = failed.map((one) => `- say: ${one.case.input} => ${one.case.expected.keywords.join(' ')}\n`);
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('`\n- ', () => `\`\n${lines.join('')}- `),
  );
  return `${failed.length} answers learnt by heart`;
}

const isByHeart = process.argv[2] === 'by-heart';
const percent = (rate: number): string => `${(100 * rate).toFixed(1)} %`;

let last = runAll();
console.log(`working set: ${percent(last.rate)}`);
for (let round = 1; round <= 3; round += 1) {
  const shown = touchstone('show', last.id, '--failed', '--verbose');
  const { results: failed } = shown as { readonly results: readonly Failed[] };
  if (failed.length === 0) break;
  const change = isByHeart ? learnByHeart(failed) : addRule(failed);
  // First what failed, which is quick; then all, since what passed may fail now.
  touchstone('run', '--failed', last.id);
  const next = runAll();
  const { comparisons } = touchstone('compare', last.id, next.id) as {
    readonly comparisons: readonly { readonly verdict: { readonly outcome: string } }[];
  };
  const outcome = comparisons[0]?.verdict.outcome;
  console.log(`round ${round}: ${change}: ${percent(last.rate)} → ${percent(next.rate)}, ${outcome}`);
  if (outcome !== 'better') break;
  last = next;
}

// `node bench/default-score.ts`: measures `touchstone score` with the default scorecard. See README.md in this folder.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable } from './format-table.ts';
import { measureCommand, median, touchstone } from './measure.ts';
import { expectationKinds, type ExpectationKind, writeAnswers } from './write-answers.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    against: { type: 'string' },
  },
});

const [cases, rounds] = [Number(values.cases), Number(values.rounds)];
const other = values.against === undefined ? undefined : path.resolve(values.against, 'bin', 'touchstone.js');
const headings = ['expected', 'CPU µs/case', ...(other === undefined ? [] : ['other checkout', 'ratio'])];
console.log(
  formatTable(
    headings,
    expectationKinds.map((kind) => measureKind(kind)),
  ),
);

/** Scores the same answers with this checkout and the other one in turn, and compares the medians. */
function measureKind(kind: ExpectationKind): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-bench-'));
  try {
    writeFileSync(path.join(folder, 'answers.jsonl'), writeAnswers(kind, cases));
    const commands = [touchstone, ...(other === undefined ? [] : [[process.execPath, other]])];
    const turns = Array.from({ length: rounds + 1 }, () =>
      commands.map((command) => scoreOnce(command, folder)),
    );
    const [own = Number.NaN, theirs] = commands.map((_, index) =>
      median(turns.slice(1).map((usages) => usages[index] ?? Number.NaN)),
    );
    const figures = theirs === undefined ? [] : [theirs.toFixed(0), (own / theirs).toFixed(2)];
    return [kind, own.toFixed(0), ...figures];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the microseconds of CPU time for each case, with the start and the report. */
function scoreOnce(command: readonly string[], folder: string): number {
  const store = path.join(folder, 'store');
  rmSync(store, { recursive: true, force: true });
  const { cpuMs } = measureCommand([...command, 'score', 'answers.jsonl', '--store', store], { folder });
  return (cpuMs / cases) * 1000;
}

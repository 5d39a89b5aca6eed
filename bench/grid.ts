// `node bench/grid.ts`: simulates grids of two models and three prompts that are all equal, at costs that certainly differ: how often anything is
// shown, by 15 uncorrected comparisons of cells, by the effects of settings, and by the front. `--rounds 2000`. See bench/NOTES.md.
import { parseArgs } from 'node:util';
import { pairedT } from '../src/core/stats/paired/differences.ts';
import { createRandom } from '../src/core/stats/random.ts';
import { type CellNumbers, findFront } from '../src/decide/analysis/grid/summarize-grids.ts';
import { estimateEffects, type GridDesign } from '../src/decide/analysis/grid/effects.ts';
import { formatTable } from './format-table.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '2000' } } });
const rounds = Number(values.rounds);
const percent = (count: number) => ((100 * count) / rounds).toFixed(1);

const design: GridDesign = {
  settings: [
    { name: 'model', levels: ['m1', 'm2'] },
    { name: 'prompt', levels: ['p1', 'p2', 'p3'] },
  ],
  cells: [0, 1].flatMap((model) => [0, 1, 2].map((prompt) => [model, prompt])),
};

/** Returns whether any two cells differ by a plain t test of their differences. */
function anyPair(cells: readonly CellNumbers[]): boolean {
  return cells.some((one, place) =>
    cells.slice(place + 1).some((other) => {
      const { lower, upper } = pairedT({
        differences: one.scores.map((score, at) => score - (other.scores[at] as number)),
      });
      return (lower ?? 0) > 0 || (upper ?? 0) < 0;
    }),
  );
}

/** Draws a grid of equal cells over questions whose difficulty is uniform. */
function drawCells(random: ReturnType<typeof createRandom>, questions: number): CellNumbers[] {
  const chances = Array.from({ length: questions }, () => random.next());
  return design.cells.map((_, at) => {
    const scores = chances.map((chance) => Number(random.next() < chance));
    const score = scores.reduce((sum, each) => sum + each, 0) / questions;
    return { target: `cell ${at}`, scores, costs: scores.map(() => at + 1), score, cost: at + 1 };
  });
}

const rows = [20, 50, 100].map((questions) => {
  const random = createRandom(7).fork(String(questions));
  const clusters = Array.from({ length: questions }, (_, at) => `#${at}`);
  let [pairs, effects, dominated] = [0, 0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const cells = drawCells(random, questions);
    pairs += Number(anyPair(cells));
    const scored = clusters.map((_, at) => ({
      scores: cells.map(({ scores }) => scores[at] as number),
      cluster: undefined,
    }));
    effects += Number(estimateEffects(design, scored).some(({ finding }) => finding !== 'not-shown'));
    dominated += Number(findFront(cells, { clusters }).some(({ front }) => front === 'dominated'));
  }
  return [String(questions), percent(pairs), percent(effects), percent(dominated)];
});
console.log(
  `Six equal cells, ${rounds} grids: anything shown, in % (reference: pairs 36 to 39, Holm 2.6 to 4.0, front 0.7 to 2.5):\n`,
);
console.log(formatTable(['questions', '15 pairs, uncorrected', 'effects', 'dominated'], rows));

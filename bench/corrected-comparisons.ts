// `node bench/corrected-comparisons.ts`: measures how often comparisons of equally good versions, corrected for a judge that
// is lenient with one of them, call one better or worse, which they promise in at most 5 of 100. `--rounds 4000` takes some
// minutes. See docs/calibrate.md.
import { parseArgs } from 'node:util';
import { wilsonInterval } from '../src/core/stats/proportion-interval.ts';
import { type ComparisonCell, simulateComparisons } from '../test/support/simulate-comparisons.ts';
import { formatTable } from './format-table.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '1000' }, cases: { type: 'string', default: '200' } },
});
const rounds = Number(values.rounds);
const cases = Number(values.cases);

const cells: readonly ComparisonCell[] = (['pairs', 'rates'] as const).flatMap((by) =>
  [30, 72, 150].flatMap((labels) =>
    [0.5, 0.65, 0.8, 0.95].flatMap((rate) =>
      [0.4, 0.65, 0.9, 0.95].map((trueNegativeRate) => ({ by, labels, rate, trueNegativeRate, cases })),
    ),
  ),
);

const found = cells.map((cell) => ({
  cell,
  ...simulateComparisons(cell, { rounds, seed: Object.values(cell).join() }),
}));
const percent = (share: number | null) => (share === null ? '' : (100 * share).toFixed(1));
const names = { pairs: 'labels of both answers', rates: 'error rates' } as const;

console.log(`${cells.length} settings of ${rounds} comparisons of ${cases} cases:\n`);
console.log(
  formatTable(
    ['corrected by', 'labels a side', 'pass rate', 'TNR', 'compared', 'wrong', '%', '95 % interval'],
    found.map(({ cell, compared, wrong }) => {
      const { estimate, lower, upper } = wilsonInterval({ successes: wrong, trials: compared });
      return [
        names[cell.by],
        `${cell.labels}`,
        `${cell.rate}`,
        `${cell.trueNegativeRate}`,
        `${compared}`,
        `${wrong}`,
        percent(estimate),
        lower === null ? '' : `${percent(lower)} to ${percent(upper)}`,
      ];
    }),
  ),
);
const above = found.filter(({ compared, wrong }) => wrong > 0.05 * compared);
const shown = above.filter(({ compared, wrong }) => {
  const { lower } = wilsonInterval({ successes: wrong, trials: compared });
  return (lower ?? 0) > 0.05;
});
console.log(`\n${above.length} settings above 5 %, of ${shown.length} the whole interval.`);

// `node bench/label-coverage.ts`: measures how often the 95 % intervals of corrected pass rates contain the truth, over
// a grid of pass rates, judges and numbers of labels. `--rounds 4000` takes some minutes. See bench/NOTES.md.
import { parseArgs } from 'node:util';
import { type LabelCell, type LabelCoverage, simulateLabels } from '../test/support/simulate-labels.ts';
import { formatTable } from './format-table.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '1000' }, items: { type: 'string', default: '1000' } },
});
const rounds = Number(values.rounds);
const n = Number(values.items);

const rates = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98];
const errors = [0.6, 0.7, 0.8, 0.9, 0.95, 0.99];
const cells: readonly LabelCell[] = [50, 100, 200].flatMap((labels) =>
  rates.flatMap((rate) =>
    errors.flatMap((sensitivity) =>
      errors.map((specificity) => ({ labels, rate, sensitivity, specificity, n })),
    ),
  ),
);

const found = cells.flatMap((cell) =>
  simulateLabels(cell, { rounds, seed: Object.values(cell).join() }).map((result) => ({ cell, ...result })),
);
type Found = (typeof found)[number];

/** The coverage that counts as reached: two standard errors of the simulation below 93 %. */
const least = 0.93 - 2 * Math.sqrt((0.93 * 0.07) / rounds);
const most = 0.98;

const isTooFew = ({ tooFew }: LabelCoverage) => tooFew >= 0.5;
const hasCaution = ({ tooFew, fewDisagreements }: LabelCoverage) => tooFew + fewDisagreements >= 0.5;
const percent = (share: number) => (100 * share).toFixed(1);
const lowest = (results: readonly Found[]) => Math.min(...results.map(({ coverage }) => coverage));

console.log(`${cells.length} cells of ${rounds} runs of ${n} items; reached from ${percent(least)} % on:\n`);
console.log(
  formatTable(
    [
      'interval',
      'lowest',
      'too few',
      'lowest of the others',
      'below 93',
      'above 98',
      'of these few disagreements',
    ],
    [...Map.groupBy(found, ({ estimator }) => estimator)].map(([estimator, all]) => {
      const others = all.filter((result) => !isTooFew(result));
      const wide = others.filter(({ coverage }) => coverage > most);
      return [
        estimator,
        percent(lowest(all)),
        `${all.length - others.length}`,
        percent(lowest(others)),
        `${others.filter(({ coverage }) => coverage < least).length}`,
        `${wide.length}`,
        `${wide.filter(hasCaution).length}`,
      ];
    }),
  ),
);

console.log('\nCells below that do not say "too few labels":\n');
const isDefault = ({ estimator }: Found) => !/normal|by verdict/.test(estimator);
for (const result of found.filter((one) => isDefault(one) && !isTooFew(one) && one.coverage < least)) {
  const { cell, estimator, coverage, tooFew } = result;
  const { labels, rate, sensitivity, specificity } = cell;
  console.log(
    `${estimator}: ${labels} labels, θ ${rate}, TPR ${sensitivity}, TNR ${specificity}: ${percent(coverage)} % (too few in ${percent(tooFew)} %)`,
  );
}

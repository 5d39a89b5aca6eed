import { TouchstoneError } from '../../../core/errors.ts';
import type { Dataset } from '../../../evaluate/datasets/dataset.ts';
import { meanCost } from '../../../evaluate/run/prepare/estimate.ts';
import { formatCount, formatMoney, formatPlural } from '../../../look/report/format.ts';
import { readRuns } from '../../../stores/store.ts';
import type { CheckedConfig } from '../config.ts';
import { openStoreOf } from '../open-store-of.ts';
import { listCells } from './expand-grid.ts';
import { readGrid } from './read-grid.ts';

/** The most combinations that are asked without `full: true`, and the number that is suggested in their place. */
const [mostCells, fewerCells] = [24, 12];

/** The part of a config that the size and the price of its grids depend on. */
type PricedConfig = Pick<CheckedConfig, 'targets' | 'attempts' | 'store' | 'maxCost'>;

/** The questions of a config: their dataset, the most that are asked, and the folder of the config. */
interface AskedQuestions {
  readonly dataset: Dataset;
  readonly limit: number;
  readonly folder: string;
}

/**
 * Throws `usage-invalid` for a grid of more than 24 combinations without `cells` or `full`, with the number of calls that it takes,
 * their price where an earlier run knows it, and what would fit. Standard input is not counted, since it can be read only once.
 */
export async function refuseLargeGrids(
  config: PricedConfig,
  { dataset, limit, folder }: AskedQuestions,
): Promise<void> {
  for (const [index, written] of config.targets.entries()) {
    const grid = readGrid(written, ['targets', index]);
    if (grid === undefined || grid.isFull || grid.cells !== undefined) continue;
    const cells = listCells(grid).length;
    if (cells <= mostCells) continue;
    const name = written.name ?? written.use;
    const questions = dataset.isReadOnce === true ? undefined : await countQuestions(dataset, limit);
    const price = questions === undefined ? undefined : await findPrice(config, folder, name);
    throw tooLarge({ name, cells, questions, price }, config);
  }
}

/** A grid that is too large, with the number of questions and the price of an attempt, where they are known. */
interface LargeGrid {
  readonly name: string;
  readonly cells: number;
  readonly questions: number | undefined;
  readonly price: KnownPrice | undefined;
}

function tooLarge(
  { name, cells, questions, price }: LargeGrid,
  { attempts, maxCost }: PricedConfig,
): TouchstoneError {
  const each = (questions ?? 0) * attempts;
  const takes = (count: number) => describeCalls(count * each, price);
  const isCounted = questions !== undefined;
  const by = price === undefined ? '' : ` by run ${price.run}`;
  const asked = isCounted
    ? `: ${formatPlural(questions, 'question')} ${questions === 1 ? 'takes' : 'take'} ${takes(cells)}${by}`
    : '';
  const fewer = isCounted ? ` (${takes(fewerCells)})` : '';
  const fit = price === undefined ? '' : describeFit(maxCost, each * price.cost, cells);
  const then = price === undefined ? '; `--dry-run` then says the price' : '';
  return new TouchstoneError('usage-invalid', `The grid of ${name} has ${cells} combinations${asked}.`, {
    remedy: `Ask some, drawn so that each level stands equally often: \`cells: ${fewerCells}, seed: 7\` in the grid${fewer}.${fit} Or choose by \`only\` and \`except\`, or ask all: \`full: true\`${then}.`,
  });
}

async function countQuestions(dataset: Dataset, limit: number): Promise<number> {
  let count = 0;
  for await (const _draft of dataset.drafts()) {
    count += 1;
    if (count >= limit) break;
  }
  return count;
}

/** The mean cost of an attempt in US dollars, and the run that knows it. */
interface KnownPrice {
  readonly cost: number;
  readonly run: string;
}

/** Finds what an attempt at a question has cost in the newest run that knows it of the target or of combinations of it. */
async function findPrice(
  config: PricedConfig,
  folder: string,
  name: string,
): Promise<KnownPrice | undefined> {
  const store = openStoreOf({ config, folder }, { opening: 'existing' });
  try {
    for await (const { id, targets, summary } of readRuns(store)) {
      const own = targets.filter(
        (target) => target.condition === undefined && (target.grid?.of ?? target.name) === name,
      );
      const names = new Set(own.map((target) => target.name));
      const costs = (summary?.targets ?? []).flatMap(({ target, usage }) =>
        names.has(target) ? (meanCost(usage) ?? []) : [],
      );
      if (costs.length > 0)
        return { cost: costs.reduce((sum, cost) => sum + cost, 0) / costs.length, run: id };
    }
    return undefined;
  } finally {
    await store.close();
  }
}

function describeCalls(calls: number, price: KnownPrice | undefined): string {
  const cost = price === undefined ? '' : `, about ${formatMoney(calls * price.cost)}`;
  return `${formatCount(calls)} calls${cost}`;
}

/** Says how many combinations the cost limit of the config has room for; empty where that is not known, or all have. */
function describeFit(maxCost: number | undefined, priceOfCell: number, cells: number): string {
  if (maxCost === undefined || priceOfCell === 0) return '';
  const most = Math.floor(maxCost / priceOfCell);
  if (most >= cells) return '';
  return most < 2
    ? ` The limit of ${formatMoney(maxCost)} has no room for two combinations: raise \`maxCost\`, or ask fewer questions (\`--limit\`).`
    : ` The limit of ${formatMoney(maxCost)} has room for \`cells: ${most}\`.`;
}

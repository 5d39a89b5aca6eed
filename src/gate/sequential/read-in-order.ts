import type { PlannedCase } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { type CaseOrder, orderSeed, readCaseOrder } from './case-order.ts';

/** In an order of its own, cases lie anywhere in the store: the more are asked for at once, the fewer pages are read for each. */
const casesAtOnce = 1000;

/** The cases of a run in the order in which they are asked: that of the plan, unless it has one of its own. */
export async function* readInOrder(run: Run, store: Store): AsyncGenerator<PlannedCase> {
  const seed = orderSeed(run);
  if (seed === undefined) {
    yield* store.readCases(run.id);
    return;
  }
  let page: number[] = [];
  for (const position of positionsToAsk(await readCaseOrder(run, store, seed))) {
    page.push(position);
    if (page.length < casesAtOnce) continue;
    yield* await readPage(run, store, page);
    page = [];
  }
  yield* await readPage(run, store, page);
}

/** What must be known in any case comes first; it counts in its turn all the same. */
function* positionsToAsk({ positions, first }: CaseOrder): Generator<number> {
  yield* first;
  const isFirst = new Set(first);
  for (const position of positions) if (!isFirst.has(position)) yield position;
}

async function readPage(run: Run, store: Store, page: readonly number[]): Promise<PlannedCase[]> {
  const found = new Map<number, PlannedCase>();
  const rising = page.toSorted((one, other) => one - other);
  for await (const planned of store.readCases(run.id, rising)) found.set(planned.position, planned);
  return page.map((position) => found.get(position)).filter((planned) => planned !== undefined);
}

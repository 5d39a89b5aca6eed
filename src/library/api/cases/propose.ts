import { loadGolden } from '../../config/load-lint.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { readGolden } from '../../../cases/proposals/golden-set.ts';
import type { Case } from '../../../core/schema/case.ts';
import type { PickReason } from '../../../core/schema/proposal/pick-reason.ts';
import type { Proposal } from '../../../core/schema/proposal/proposal.ts';
import type { Store } from '../../../stores/store.ts';
import { createNearestSearch } from '../../../cases/traces/nearest-cases.ts';
import {
  findObjections,
  type PickedTrace,
  pickTraces,
  type RatedTrace,
} from '../../../cases/traces/pick-traces.ts';
import { type KnownCase, type LeftOut, proposeCases } from '../../../cases/traces/propose-cases.ts';
import { rateTraces } from '../../../cases/traces/rate-traces.ts';
import { type StoreChoice, withStore, withWritableStore } from '../open-store.ts';
import { proposalKind } from '../../../stores/kinds/proposal.ts';
import { addProposals } from '../../../stores/proposals/proposal-records.ts';

/** Options of proposing cases of traces. */
export interface ProposeOptions extends StoreChoice {
  /** The file of the golden set, relative to the folder; by default the config's. It need not exist yet. */
  readonly dataset?: string;
  /** The person who proposes, and who by default does not approve; a program by default. */
  readonly by?: string;
  /** The most cases that are proposed; 50 by default. */
  readonly limit?: number;
  /** The reasons to pick traces for; all by default. */
  readonly reasons?: readonly PickReason[];
  /** The ids of traces to propose cases of, whatever else would pick them. */
  readonly traces?: readonly string[];
  /** The seed of the random share; a random one by default. */
  readonly seed?: number;
  /** The share of traces that is picked at random; 0.01 by default. */
  readonly share?: number;
  /** The least distance in words from which a trace is unlike the golden set, from 0 to 1; 0.8 by default. */
  readonly distance?: number;
  /** True to store nothing. */
  readonly isDryRun?: boolean;
  /** Called with notices, such as about a config that cannot be used. */
  readonly onNotice?: (message: string) => void;
}

/** The cases that were proposed of traces. */
export interface ProposeReport {
  /** The name of the golden set. */
  readonly dataset: string;
  readonly seed: number;
  /** The number of traces that could be picked. */
  readonly traces: number;
  /** The numbers of traces that could not be picked, by the reason. */
  readonly left: Readonly<Record<string, number>>;
  /** The number of picked traces, by the reason that counts. */
  readonly picked: Readonly<Partial<Record<PickReason, number>>>;
  readonly proposals: readonly Proposal[];
  /** The picked traces of which no case was proposed. */
  readonly leftOut: readonly LeftOut[];
  /** The number of picked traces beyond the limit. */
  readonly beyond: number;
  /** The number of proposals that were stored, and not before. */
  readonly added: number;
}

const usual = { limit: 50, share: 0.01, distance: 0.8 };

/**
 * Picks stored traces and proposes a case of each, as `touchstone propose` does. Nothing of it enters the golden set before a
 * person has approved it.
 * @throws TouchstoneError for a golden set that cannot be opened, and for an unknown trace.
 */
export async function propose(options: ProposeOptions = {}): Promise<ProposeReport> {
  const { folder = process.cwd(), onNotice = () => {}, isDryRun = false, dataset: file } = options;
  const config = typeof options.config === 'string' ? options.config : undefined;
  const { name, dataset } = await loadGolden({ file, folder, config, onNotice });
  const golden = await readGolden(dataset);
  const use = isDryRun ? withStore : withWritableStore;
  return await use(options, async (store) => await proposeInto(store, { name, golden }, options));
}

async function proposeInto(
  store: Store,
  { name, golden }: { readonly name: string; readonly golden: readonly Case[] },
  options: ProposeOptions,
): Promise<ProposeReport> {
  const { limit = usual.limit, seed = randomSeed(), isDryRun = false, traces: ids, by } = options;
  const at = new Date().toISOString();
  const { rated, left } = await rateTraces(store, { ids, now: at });
  for (const id of ids ?? []) {
    if (!rated.some(({ facts }) => facts.traceId === id))
      throw new TouchstoneError('trace-not-found', `There is no trace "${id}" with an answer of a model.`);
  }
  const findNearest = createNearestSearch(golden);
  const rules = {
    seed,
    share: options.share ?? usual.share,
    distance: options.distance ?? usual.distance,
    reasons: options.reasons,
  };
  const picked =
    ids === undefined
      ? pickTraces(rated, rules, findNearest)
      : ids.flatMap((id) => rated.filter(({ facts }) => facts.traceId === id).map(pickByHand));
  const { proposals, leftOut } = proposeCases(picked.slice(0, limit), {
    dataset: name,
    known: await knownCases(store, golden),
    findNearest,
    by: by === undefined ? { type: 'program', name: 'touchstone propose' } : { type: 'person', name: by },
    at,
  });
  const added = isDryRun ? 0 : (await addProposals(store.documents, proposals)).added;
  const counts = Map.groupBy(picked, (each) => each.picked[0].reason);
  return {
    dataset: name,
    seed,
    traces: rated.length,
    left,
    picked: Object.fromEntries(Array.from(counts, ([reason, each]) => [reason, each.length])),
    proposals,
    leftOut,
    beyond: Math.max(0, picked.length - limit),
    added,
  };
}

function pickByHand(trace: RatedTrace): PickedTrace {
  return { ...trace, picked: [{ reason: 'by-hand', why: 'it was named' }, ...findObjections(trace)] };
}

/** Returns the cases that need not be proposed again: the cases of the golden set, and the ones that were proposed before. */
async function knownCases(
  { documents }: Pick<Store, 'documents'>,
  golden: readonly Case[],
): Promise<KnownCase[]> {
  const known: KnownCase[] = golden.map((each) => ({ case: each, isGolden: true }));
  for await (const { proposal } of documents.list(proposalKind)) {
    const { id = proposal.id, ...rest } = proposal.case;
    if (proposal.change === 'new') known.push({ case: { ...rest, id, expected: {} }, isGolden: false });
  }
  return known;
}

function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] as number;
}

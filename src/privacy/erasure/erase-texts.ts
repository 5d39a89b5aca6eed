import { isDeepStrictEqual } from 'node:util';
import { TouchstoneError } from '../../core/errors.ts';
import { daysErasedIn, type Erasure } from '../../core/schema/erasure/erasure.ts';
import type { Run } from '../../core/schema/run.ts';
import { readRuns, type Store } from '../../stores/store.ts';
import type { TextRecord } from '../../stores/texts/text-records.ts';
import { findLines, forgetTraces, type HoldingLine } from '../../cases/traces/forget-traces.ts';
import { type ErasureChoice, findTexts, type FoundTexts } from './find-texts.ts';
import { heldKinds, rewriteHeld } from './held-texts.ts';
import { proposalKind } from '../../stores/kinds/proposal.ts';
import type { Matcher } from './matcher.ts';

/** The records that an erasure changes, or has changed. */
export interface ErasedTexts {
  /** The day in the mark that replaces each text. */
  readonly day: string;
  /** The number of records by their kind; kinds without any are absent. */
  readonly counts: Readonly<Record<string, number>>;
  /** The runs that are marked as changed. */
  readonly runs: readonly string[];
  /** The lines of golden sets that hold cases made of what is erased. They stay until someone removes them. */
  readonly lines: readonly HoldingLine[];
  /** The number of records with a text in their own id, which stays. */
  readonly left: number;
  /** Where the store's files still contain the texts, and what removes them; absent where they do not, and before the erasure. */
  readonly inFiles?: string;
}

/** The fewest characters of a text: a shorter one would be found in half of all records. */
const fewestCharacters = 3;

/** An erasure that has been looked at and not been made. */
export interface PlannedErasure extends ErasedTexts {
  /** Makes the erasure. Throws `run-in-progress` while a process works on one of the runs. It can be repeated when it was broken off. */
  erase(): Promise<ErasedTexts>;
}

/**
 * Looks for everything that belongs to people, or that holds texts, and returns what would be erased, with a function that does it: all
 * texts of these records are overwritten with a mark, and their numbers stay. Throws `usage-invalid` for a choice of nothing, and
 * for a text that is too short or a word of Touchstone's own.
 */
export async function planErasure(
  store: Store,
  choice: ErasureChoice,
  day = new Date().toISOString().slice(0, 10),
): Promise<PlannedErasure> {
  requireChoice(choice);
  const found = await findTexts(store, choice, day);
  const others = await changeOthers(store, found.matcher, { isDry: true });
  const lines = await findGoldenLines(store, found);
  const planned: ErasedTexts = {
    day,
    counts: countsOf(found, others),
    runs: [...new Set([...found.runs, ...others.runs])].toSorted(),
    lines,
    left: found.left,
  };
  return { ...planned, erase: async () => await erase(store, found, planned) };
}

function requireChoice({ texts = [], users = [] }: ErasureChoice): void {
  if (texts.length + users.length === 0)
    throw new TouchstoneError('usage-invalid', 'No text and no user to erase is named.', {
      remedy: 'Name texts or users: `--text TEXT`, `--user ID`; both may be repeated.',
    });
  const short = texts.find((text) => Array.from(text.trim()).length < fewestCharacters);
  if (short !== undefined)
    throw new TouchstoneError(
      'usage-invalid',
      `The text ${JSON.stringify(short)} is too short: at least ${fewestCharacters} characters are needed.`,
      { remedy: 'Name a longer text, such as a whole name or address.' },
    );
}

async function erase(store: Store, found: FoundTexts, planned: ErasedTexts): Promise<ErasedTexts> {
  await using claims = new AsyncDisposableStack();
  for (const run of planned.runs) claims.use(await store.claimRun(run));
  for (const kind of heldKinds) await rewriteHeld(store, kind, found.change);
  await changeOthers(store, found.matcher, { isDry: false });
  // Last, since what belongs to a person is found by the traces.
  await forgetTraces(store, { traces: found.traces });
  const marked = await markRuns(store);
  const inFiles = await store.texts.purge();
  return { ...planned, runs: [...new Set([...planned.runs, ...marked])].toSorted(), inFiles };
}

function countsOf(
  { counts, traces }: FoundTexts,
  others: Awaited<ReturnType<typeof changeOthers>>,
): ErasedTexts['counts'] {
  const all = [...counts, ['trace', traces.length] as const, ...Object.entries(others.counts)];
  return Object.fromEntries(all.filter(([, count]) => count > 0));
}

async function findGoldenLines(
  { documents }: Store,
  { matcher, traces }: FoundTexts,
): Promise<HoldingLine[]> {
  const lines: HoldingLine[] = [];
  for await (const kept of documents.list(proposalKind)) {
    const { source } = kept.proposal;
    const isOfTrace = source.type === 'trace' && traces.includes(source.traceId);
    if (isOfTrace || matcher.holds(kept.proposal)) lines.push(...findLines([kept]));
  }
  return lines;
}

/** Replaces the texts in the records of runs themselves, and in those that processes share. */
async function changeOthers(store: Store, { replace }: Matcher, { isDry }: { readonly isDry: boolean }) {
  const counts: Record<string, number> = {};
  const runs: string[] = [];
  const change = async <Each>(
    kind: 'run' | 'shared-record',
    record: Each,
    keep: (next: Each) => Promise<unknown>,
  ) => {
    const next = replace(record);
    if (next === record) return false;
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (!isDry) await keep(next);
    return true;
  };
  for await (const run of readRuns(store)) {
    const keep = async (next: Run) => await store.updateRun({ ...next, id: run.id });
    if (await change('run', run, keep)) runs.push(run.id);
  }
  const { shared } = store;
  for (const { name, value } of await shared.list('')) {
    const keep = async () =>
      await shared.change(name, (now) => ({
        value: now === undefined ? now : replace(now),
        result: undefined,
      }));
    await change('shared-record', value, keep);
  }
  return { counts, runs };
}

/** Marks every run with the numbers of its records that were erased, by day, and removes the files that it names no more. Returns the ids of those whose mark has changed. */
async function markRuns(store: Store): Promise<string[]> {
  const erased = new Map<string, Map<string, number>>();
  const files = new Map<string, Set<string>>();
  const count = ({ runs, record }: TextRecord) => {
    const json = JSON.stringify(record);
    for (const [, hash = ''] of json.matchAll(/"hash":"([0-9a-f]{64})"/g))
      for (const run of runs) files.set(run, (files.get(run) ?? new Set()).add(hash));
    for (const day of daysErasedIn(json))
      for (const run of runs) {
        const days = erased.get(run) ?? new Map<string, number>();
        erased.set(run, days.set(day, (days.get(day) ?? 0) + 1));
      }
  };
  for (const kind of ['case', 'trial', 'scores'] as const)
    for await (const batch of store.texts.read(kind)) batch.forEach(count);
  const marked: string[] = [];
  for (const [id, days] of erased) {
    await store.blobs.retain(id, files.get(id) ?? new Set());
    const run = await store.readRun(id);
    const erasures = Array.from(days, ([day, records]): Erasure => ({ day, records })).toSorted(
      (one, other) => (one.day < other.day ? -1 : 1),
    );
    if (run === undefined || isDeepStrictEqual(run.erasures, erasures)) continue;
    await store.updateRun({ ...run, erasures });
    marked.push(id);
  }
  return marked;
}

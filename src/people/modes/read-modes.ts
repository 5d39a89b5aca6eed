import { TouchstoneError } from '../../core/errors.ts';
import { hashContent } from '../../core/lib/content-hash.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import { type Mode, type ModeName, type ModeWords, modeWordsSchema } from '../../core/schema/modes/mode.ts';
import type { DocumentStore } from '../../stores/documents/document-store.ts';
import { modeKind } from '../../stores/kinds/mode.ts';

/** The failure modes as they are now, by their ids, with all earlier records. */
export interface Modes {
  /** The record of each mode that holds, in the order in which the modes were first named. */
  readonly current: ReadonlyMap<string, Mode>;
  /** All records by their own ids. */
  readonly records: ReadonlyMap<string, Mode>;
}

/** Returns the version of a mode: the hash of its definition and of what it includes and excludes. */
export function modeVersionOf(words: ModeWords): string {
  return hashContent(modeWordsSchema.parse(words));
}

/** Reads the failure modes of a store. */
export async function readModes(documents: Pick<DocumentStore, 'list'>): Promise<Modes> {
  return currentModes(await Array.fromAsync(documents.list(modeKind)));
}

/** Returns the modes that records lead to. Where two people have replaced the same record, the later one holds. */
export function currentModes(all: readonly Mode[]): Modes {
  const replaced = new Set(all.map(({ replaces }) => replaces));
  const ids = new Set(all.map(({ id }) => id));
  const byId = Map.groupBy(
    all.filter(({ entry }) => !replaced.has(entry)),
    ({ id }) => id,
  );
  const current = Array.from(ids, (id): [string, Mode] => [id, (byId.get(id) ?? []).at(-1) as Mode]);
  return {
    current: new Map(current.filter(([, mode]) => mode !== undefined)),
    records: new Map(all.map((mode) => [mode.entry, mode])),
  };
}

/** Returns the modes that are open, in the order in which they were first named. */
export function openModes({ current }: Modes): Mode[] {
  return [...current.values()].filter(({ state }) => state.status === 'open');
}

/** Returns an open mode. Throws `mode-conflict` for one that is not known or not open any more. */
export function requireOpen(modes: Modes, id: string): Mode {
  const mode = modes.current.get(id);
  if (mode === undefined) {
    const open = openModes(modes).map((each) => each.id);
    const list = open.length === 0 ? 'There are none yet' : `There are ${open.join(', ')}`;
    throw new TouchstoneError('mode-conflict', `There is no mode "${id}".${didYouMean(id, open)}`, {
      remedy: `${list}; name a new one: \`touchstone modes add ${id} --definition "…"\`.`,
    });
  }
  if (mode.state.status === 'open') return mode;
  throw new TouchstoneError('mode-conflict', `The mode ${id} is ${describeState(mode)}.`, {
    remedy: `Use the mode that took its place, or take that back: \`touchstone modes undo ${id}\`.`,
  });
}

/** Describes the state of a mode: `merged into wrong-date`. */
export function describeState({ state }: Pick<Mode, 'state'>): string {
  if (state.status === 'merged') return `merged into ${state.into}`;
  return state.status === 'split' ? `split into ${state.into.join(', ')}` : state.status;
}

/** A mode whose marks count for a mode, with the versions whose marks do. */
export interface CountedMode {
  readonly id: string;
  readonly versions: ReadonlySet<string>;
  /** For a mode that was merged into the counted one: since when marks of the latter speak for both. ISO 8601. */
  readonly mergedAt?: string;
}

/**
 * Returns the modes whose marks count for an open mode: itself, in its version and all that a person has stated to mean the same, and those
 * that were merged into one of these versions, with what was merged into them.
 */
export function countedFor(modes: Modes, mode: Mode): CountedMode[] {
  const parts: CountedMode[] = [];
  const add = (each: Mode, mergedAt: string | undefined): void => {
    if (parts.some(({ id }) => id === each.id)) return;
    const versions = versionsOf(modes, each);
    const own = versions.get(each.id) ?? new Set([each.version]);
    parts.push({ id: each.id, versions: own, mergedAt });
    for (const [id, of] of versions) if (id !== each.id) parts.push({ id, versions: of, mergedAt });
    for (const other of modes.current.values()) {
      const { state, at } = other;
      if (state.status === 'merged' && state.into === each.id && own.has(state.version))
        add(other, mergedAt ?? at);
    }
  };
  add(mode, undefined);
  return parts;
}

/** Returns, by mode, the versions that mean the same as a mode, itself included, directly or through others. */
function versionsOf(modes: Modes, mode: Mode): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const add = ({ id, version }: ModeName): void => {
    const own = found.get(id) ?? new Set<string>();
    if (own.has(version)) return;
    found.set(id, own.add(version));
    for (const each of modes.records.values())
      if (each.id === id && each.version === version) each.sameAs.forEach(add);
  };
  add(mode);
  return found;
}

import { copyJson } from '../../core/lib/json/copy-json.ts';
import type { TextKind, TextRecord, TextRecords } from './text-records.ts';

/** A record in memory with its place. */
type Place = Partial<Pick<TextRecord, 'runs' | 'plan' | 'position' | 'ordinal'>>;

/** The records of one kind in memory. Each is changed in place, since several collections may have it. */
export type MemoryTexts = Readonly<
  Record<TextKind, () => Iterable<readonly [record: object, place?: Place]>>
>;

/** Lists the records of a map, which have no place in a run. */
export function valuesOf(kept: ReadonlyMap<string, object>): (readonly [object])[] {
  return Array.from(kept.values(), (record) => [record] as const);
}

/** Creates the part of a store in memory by which texts are erased. */
export function createMemoryTexts(texts: MemoryTexts): {
  readonly texts: TextRecords;
  readonly countWrites: () => number;
} {
  let writes = 0;
  const all = (kind: TextKind): [object, TextRecord][] =>
    Array.from(texts[kind](), ([record, place]) => [
      record,
      { kind, runs: [], plan: '', position: null, ordinal: null, ...place, record: copyJson(record) },
    ]);
  return {
    texts: {
      read: async function* (kind) {
        yield all(kind).map(([, held]) => held);
      },
      rewrite: async (kind, change) => {
        let changed = 0;
        for (const [record, held] of all(kind)) {
          const next = change.record(held);
          if (next === held.record) continue;
          for (const name of Object.keys(record)) Reflect.deleteProperty(record, name);
          Object.assign(record, copyJson(next));
          changed += 1;
        }
        writes += changed;
        return changed;
      },
      // What was overwritten in memory is gone.
      purge: async () => {},
    },
    countWrites: () => writes,
  };
}

import type { DocumentKey } from '../../stores/documents/kind.ts';
import { type AnyKind, keyOf } from '../../stores/documents/kind.ts';
import { userKeyKind } from '../../stores/kinds/feedback.ts';
import { kinds } from '../../stores/kinds/kinds.ts';
import { erasedTraceKind, spanKind, traceKind } from '../../stores/kinds/trace.ts';
import type { Store } from '../../stores/store.ts';
import {
  type TextChange,
  type TextKind,
  textKinds,
  type TextRecord,
} from '../../stores/texts/text-records.ts';

/** A record that may hold texts of people: of a run, or a document of any kind. */
export interface HeldText extends Omit<TextRecord, 'kind'> {
  readonly kind: string;
}

/** A change of the texts of records of runs and of documents alike. */
export interface HeldChange extends Pick<TextChange, 'column'> {
  /** Returns the record in place of one; the same object to leave it as it is. The names in it that it is found by stay. */
  record(held: HeldText): object;
}

/** The kinds of documents that are removed whole, with their trace or on their own: no text in them is overwritten. */
const removedWhole: ReadonlySet<AnyKind> = new Set([traceKind, spanKind, erasedTraceKind, userKeyKind]);

const documentKinds: ReadonlyMap<string, AnyKind> = new Map(
  kinds.filter((kind) => !removedWhole.has(kind)).map((kind) => [kind.name, kind]),
);

/** The names of all kinds of records whose texts are overwritten; what others depend on, the records of runs, comes first. */
export const heldKinds: readonly string[] = [...textKinds, ...documentKinds.keys()];

/** Returns the kind of document of that name; undefined for the records of runs. */
export function documentKind(name: string): AnyKind | undefined {
  return documentKinds.get(name);
}

/** Yields all records of a kind, in batches. Throws `store-damaged` for a record that has changed since it was written. */
export async function* readHeld(store: Store, name: string): AsyncGenerator<readonly HeldText[]> {
  const kind = documentKind(name);
  if (kind === undefined) yield* store.texts.read(name as TextKind);
  else for await (const document of store.documents.list(kind)) yield [heldIn(kind, document)];
}

/** The number of documents that are changed in one step. */
const atOnce = 200;

/** Changes records of a kind, some in each step. Returns their number. A process that dies midway has changed some of them. */
export async function rewriteHeld(store: Store, name: string, change: HeldChange): Promise<number> {
  const kind = documentKind(name);
  if (kind === undefined) return await store.texts.rewrite(name as TextKind, change);
  return await rewriteDocuments(store, kind, { record: change.record });
}

/** The documents of a kind to change, and how. */
interface DocumentRewrite extends Pick<HeldChange, 'record'> {
  /** The values that columns of the documents have; by default all documents of the kind. */
  readonly where?: Readonly<Record<string, string | readonly string[]>>;
}

/** Changes documents of a kind, some in each step. Returns their number. A process that dies midway has changed some of them. */
export async function rewriteDocuments(
  store: Store,
  kind: AnyKind,
  { where, ...change }: DocumentRewrite,
): Promise<number> {
  const keys: DocumentKey[] = [];
  for await (const document of store.documents.list(kind, { where }))
    if (nextOf(kind, document, change) !== document) keys.push(keyOf(kind, document));
  let changed = 0;
  for (let start = 0; start < keys.length; start += atOnce)
    changed += await rewriteSome(store, kind, { keys: keys.slice(start, start + atOnce), change });
  return changed;
}

/** Changes documents in one step, by what they contain at that time. */
async function rewriteSome(
  { documents }: Store,
  kind: AnyKind,
  { keys, change }: { readonly keys: readonly DocumentKey[]; readonly change: Pick<HeldChange, 'record'> },
): Promise<number> {
  return await documents.change([kind], async (session) => {
    let changed = 0;
    for (const key of keys) {
      const document = await session.get(kind, key);
      const next = document === undefined ? document : nextOf(kind, document, change);
      if (next === document) continue;
      await session.put(kind, [next]);
      changed += 1;
    }
    return changed;
  });
}

function nextOf(kind: AnyKind, document: unknown, change: Pick<HeldChange, 'record'>): unknown {
  return change.record(heldIn(kind, document));
}

function heldIn({ name }: AnyKind, document: unknown): HeldText {
  return {
    kind: name,
    record: document as object,
    runs: [],
    plan: '',
    position: null,
    ordinal: null,
  };
}

import type { AnyKind, Columns, ColumnValues, DocumentKey, Kind } from './kind.ts';

/** The documents to read; a document must meet all conditions. */
export interface DocumentQuery<Of extends Columns> {
  /** The values that columns have; of a text, also several, one of which a column has. */
  readonly where?: { readonly [Name in keyof Of]?: ColumnValues<Of>[Name] | readonly string[] };
  /** The least values of columns. */
  readonly from?: Partial<ColumnValues<Of>>;
  /** The values that columns stay below. */
  readonly below?: Partial<ColumnValues<Of>>;
  /** The number of documents to pass over, in the order of the kind, and the largest number of those after them. */
  readonly skip?: number;
  readonly limit?: number;
}

/** The reading of documents. */
export interface DocumentReader {
  /** Returns a document by its key; undefined when there is none. Throws `store-damaged` when it has changed since it was written. */
  get<Document, Of extends Columns>(
    kind: Kind<Document, Of>,
    key: DocumentKey,
  ): Promise<Document | undefined>;
  /** Returns some columns of documents, in the order of the kind. It reads no documents. */
  heads<Of extends Columns, Name extends keyof Of & string>(
    kind: Kind<unknown, Of>,
    names: readonly Name[],
    query?: DocumentQuery<Of>,
  ): Promise<Pick<ColumnValues<Of>, Name>[]>;
}

/** The reading and writing of documents in one step. */
export interface DocumentChange extends DocumentReader {
  /** Stores the documents whose key no document has, the first one of a key. Returns the others. */
  add<Document>(kind: Kind<Document>, documents: readonly Document[]): Promise<Document[]>;
  /** Stores documents; one with the same key is replaced. */
  put<Document>(kind: Kind<Document>, documents: readonly Document[]): Promise<void>;
  /** Removes documents. Returns their number. */
  remove<Of extends Columns>(kind: Kind<unknown, Of>, query: DocumentQuery<Of>): Promise<number>;
}

/**
 * The part of a store for what people said and did, and for what was recorded in production: labels, feedback, traces and the like.
 * Each is a document of a kind. Documents belong to no run, and stay when a run is deleted, unless their kind says otherwise. When the
 * promise of a write resolves, the data is stored, even if the process dies right afterwards.
 */
export interface DocumentStore extends DocumentReader {
  /**
   * Yields documents in the order of their kind, some at a time. Throws `store-damaged` for a document that has changed since it was
   * written, and where all documents, or all of one value of `part`, are read: when some are missing.
   * @param onLost - Called with a description of each of them, in place of the error.
   */
  list<Document, Of extends Columns>(
    kind: Kind<Document, Of>,
    query?: DocumentQuery<Of>,
    onLost?: (what: string) => void,
  ): AsyncIterable<Document>;
  /** Counts documents. It reads none. */
  count<Of extends Columns>(kind: Kind<unknown, Of>, query?: DocumentQuery<Of>): Promise<number>;
  /**
   * Changes documents of some kinds, all of them or none. Changes that have a kind in common are made one after the other, across
   * processes: what `work` has read of these kinds still holds when it writes. It must await nothing but its own
   * calls, and may be run a second time.
   */
  change<Result>(
    kinds: readonly AnyKind[],
    work: (documents: DocumentChange) => Promise<Result>,
  ): Promise<Result>;
}

/** Stores documents of one kind; those with the same keys are replaced. */
export async function putDocuments<Document>(
  documents: DocumentStore,
  kind: Kind<Document>,
  all: readonly Document[],
): Promise<void> {
  await documents.change([kind], async (change) => await change.put(kind, all));
}

/** Stores a document unless there is one of its key. Returns whether it was stored. */
export async function addDocument<Document>(
  documents: DocumentStore,
  kind: Kind<Document>,
  document: Document,
): Promise<boolean> {
  const known = await documents.change([kind], async (change) => await change.add(kind, [document]));
  return known.length === 0;
}

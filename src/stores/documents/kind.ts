import type { z } from 'zod';

/** The types of columns; those with a question mark may be null. */
export type ColumnType = 'text' | 'text?' | 'integer' | 'integer?' | 'real?';

/** The columns of a kind by their names, the columns of its key first. */
export type Columns = Readonly<Record<string, ColumnType>>;

type ValueOf<Type extends ColumnType> = Type extends 'text'
  ? string
  : Type extends 'text?'
    ? string | null
    : Type extends 'integer'
      ? number
      : number | null;

/** The values of columns. */
export type ColumnValues<Of extends Columns> = { readonly [Name in keyof Of]: ValueOf<Of[Name]> };

/** An index of a kind, besides its key. */
export interface KindIndex<Name extends string = string> {
  /** The columns by which documents are found or sorted. */
  readonly on: readonly Name[];
  /** Further columns that are read together with these. */
  readonly with?: readonly Name[];
  /** True for a text of any length, the only column: it can be found, not sorted. */
  readonly isLong?: boolean;
}

/** The description of a kind of document, by which any store can keep it. */
export interface Kind<Document, Of extends Columns = Columns> {
  /** The name in kebab-case; with spaces, it is the word for one of them in messages. */
  readonly name: string;
  /** The name of the table. */
  readonly table: string;
  /** A sentence about the documents, for people who read the tables. */
  readonly about: string;
  /** The documents as data. It is made when it is needed. */
  schema(): z.ZodType<Document>;
  readonly columns: Of;
  /** Returns the columns of a document, from which lists are made without reading documents. */
  columnsOf(document: Document): ColumnValues<Of>;
  /** The number of columns, from the first, that form the key: it never changes, and no two documents have the same. */
  readonly keyLength: number;
  /** The columns by which documents are listed; together they are unique. */
  readonly order: readonly (keyof Of & string)[];
  /** True to list the last ones first. */
  readonly isNewestFirst?: boolean;
  /** The column of whose values documents are counted each, so that a loss is noticed where the documents of one value are read. */
  readonly part?: keyof Of & string;
  /** The column with the id of the run that a document belongs to, where it is removed with it. */
  readonly ofRun?: keyof Of & string;
  readonly indexes?: readonly KindIndex<keyof Of & string>[];
  /** Describes a document that cannot be read any more by its columns. */
  describe?(columns: ColumnValues<Of>): string;
}

/** A kind whose documents are not looked into. */
export type AnyKind = Kind<unknown>;

/** The document of a kind. */
export type DocumentOf<Each> = Each extends Kind<infer Document, never> ? Document : never;

/** The columns of a declaration, each with its value of a document. */
type DeclaredColumns<Document> = Readonly<
  Record<string, readonly [type: ColumnType, valueOf: (document: Document) => string | number | null]>
>;

/** The types of declared columns. */
type TypesOf<Of extends DeclaredColumns<never>> = { readonly [Name in keyof Of]: Of[Name][0] };

/** The declaration of a kind. */
type DeclaredKind<Document, Of extends DeclaredColumns<Document>> = Omit<
  Kind<Document, TypesOf<Of>>,
  'columns' | 'columnsOf' | 'keyLength' | 'order'
> & {
  /** The columns, the columns of the key first. */
  readonly columns: Of;
  /** The number of columns of the key; 1 by default. */
  readonly keyLength?: number;
  /** The columns by which documents are listed; the key by default. */
  readonly order?: readonly (keyof Of & string)[];
};

/** Declares a kind of document: one file, and one line in `kinds/kinds.ts`. */
export function defineKind<Document, const Of extends DeclaredColumns<Document>>({
  columns,
  keyLength = 1,
  order = Object.keys(columns).slice(0, keyLength),
  ...kind
}: DeclaredKind<Document, Of>): Kind<Document, TypesOf<Of>> {
  const all = Object.entries(columns);
  const each = (value: (column: Of[string]) => unknown) =>
    Object.fromEntries(all.map(([name, column]) => [name, value(column as Of[string])]));
  return {
    ...kind,
    keyLength,
    order,
    columns: each(([type]) => type) as TypesOf<Of>,
    columnsOf: (document) => each(([, valueOf]) => valueOf(document)) as ColumnValues<TypesOf<Of>>,
  };
}

/** Returns the word for a document of a kind in messages. */
export function nounOf({ name }: Pick<AnyKind, 'name'>): string {
  return name.replaceAll('-', ' ');
}

/** Returns the key of a document. */
export function keyOf(kind: AnyKind, document: unknown): DocumentKey {
  const columns = kind.columnsOf(document);
  return keyColumns(kind).map((name) => columns[name] as string | number);
}

/** Returns the names of the columns that form the key. */
export function keyColumns({ columns, keyLength }: AnyKind): string[] {
  return Object.keys(columns).slice(0, keyLength);
}

/** The values of the columns of a key. */
export type DocumentKey = readonly (string | number)[];

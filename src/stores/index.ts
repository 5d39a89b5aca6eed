export { createMemoryStore } from './memory.ts';
export { openPostgresStore, type PostgresOptions } from './postgres/postgres.ts';
export { openSqliteStore, type SqliteOptions } from './sqlite/sqlite.ts';
export * from './registry.ts';
export { defineStore } from './store.ts';
export type { Store, StoreDefinition, StoreNeeds, StoreOpening } from './store.ts';

export type { SharedChange, SharedRecord, SharedRecords, SharedUpdate } from './shared/shared-records.ts';

// The rules that every store applies, for stores of your own.
export { recordsOfRun } from './shared/shared-records.ts';
export { columnsInMemory, selectInMemory } from '../core/trials/select-in-memory.ts';
export type {
  DocumentChange,
  DocumentQuery,
  DocumentReader,
  DocumentStore,
} from './documents/document-store.ts';
export type * from './documents/kind.ts';
export { kinds } from './kinds/kinds.ts';
export { runNotFound, storeDamaged, trialsAreShared } from './refusals.ts';
export type { AnswerAtHand, AnswerQuery } from './feedback/choose-answer.ts';

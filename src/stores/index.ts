export { createMemoryStore } from './memory.ts';
export { openPostgresStore, type PostgresOptions } from './postgres/postgres.ts';
export { openSqliteStore, type SqliteOptions } from './sqlite/sqlite.ts';
export * from './registry.ts';
export { defineStore } from './store.ts';
export type { Store, StoreDefinition, StoreNeeds, StoreOpening } from './store.ts';

export type { SharedChange, SharedRecord, SharedRecords, SharedUpdate } from './shared/shared-records.ts';

// The rules that every store applies, for stores of your own.
export { createMemoryShared } from './shared/memory-shared.ts';
export { recordsOfRun } from './shared/shared-records.ts';
export { columnsInMemory, selectInMemory } from '../core/trials/select-in-memory.ts';
export { runNotFound, storeDamaged, trialsAreShared } from './refusals.ts';
export { type ItemAtHand, type Refusal, refuseLabel, type Wish } from './reviews/admit.ts';
export { itemNotFound, recordConflict, requireAdmission, taskNotFound } from './reviews/refusals.ts';
export {
  type AnswerAtHand,
  answerQueryOf,
  chooseAnswer,
  chooseTurn,
  isSameFeedback,
  traceQueryOf,
  waitsUntil,
} from './feedback/choose-answer.ts';
export { proposalNotFound, requireDecision } from './proposals/admit-decision.ts';

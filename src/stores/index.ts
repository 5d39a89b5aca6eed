export { createMemoryStore } from './memory.ts';
export { openSqliteStore, type SqliteOptions } from './sqlite/sqlite.ts';
export * from './registry.ts';
export { defineStore } from './store.ts';
export type { Store, StoreDefinition, StoreNeeds, StoreOpening } from './store.ts';

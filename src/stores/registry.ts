export { memoryStore } from './memory.ts';
export { postgresStore } from './postgres/postgres.ts';
export { sqliteStore } from './sqlite/sqlite.ts';

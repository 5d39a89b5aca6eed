export { createMemoryStore } from './memory.ts';
export { openSqliteStore } from './sqlite/sqlite.ts';

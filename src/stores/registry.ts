export { memoryStore } from './memory.ts';
export { sqliteStore } from './sqlite/sqlite.ts';

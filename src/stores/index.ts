export * from './registry.ts';
export type { Store } from './store.ts';

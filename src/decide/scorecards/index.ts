export * from './registry.ts';
export type { Scorecard } from './scorecard.ts';

export * from './registry.ts';
export type { Move, Part, Speaker, User, UserContext, UserNeeds } from './user.ts';

export type { EmbedContext, Embedder, EmbedReply } from './embedder.ts';
export * from './embedders/registry.ts';
export type { ChatContext, ChatModel, ChatReply, ChatRequest, ModelNeeds } from './model.ts';
export * from './registry.ts';
export { createRateLimiter, type RateLimiter } from './account/rate-limiter.ts';
export { createSharedRateLimiter, type SharedRateLimiter } from './account/shared/shared-rate-limiter.ts';

export type { EmbedContext, Embedder, EmbedReply } from './embedder.ts';
export * from './embedders/registry.ts';
export type { ChatContext, ChatModel, ChatReply, ChatRequest, ModelNeeds } from './model.ts';
export * from './registry.ts';

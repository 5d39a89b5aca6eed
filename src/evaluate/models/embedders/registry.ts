export { openaiEmbeddings } from './openai-embeddings.ts';

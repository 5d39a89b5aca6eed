/**
 * The names under which each part of a reply is recognised, best first. The first name that is present counts. The list
 * is complete: a target that uses other names states them in its options.
 */
export const replyAliases = {
  answer: [
    'answer',
    'response',
    'text',
    'output',
    'content',
    'final_output',
    'finalOutput',
    'final_answer',
    'finalAnswer',
    'generated_text',
    'completion',
    'reply',
    'message',
  ],
  toolCalls: ['toolCalls', 'tool_calls', 'tools_used', 'toolsUsed', 'tools', 'tools_called'],
  documents: [
    'documents',
    'sources',
    'docs',
    'retrieved_documents',
    'retrievedDocuments',
    'source_documents',
    'sourceDocuments',
    'source_nodes',
    'sourceNodes',
    'retrieved_docs',
    'retrievedDocs',
    'retrieved_chunks',
    'retrievedChunks',
    'retriever_resources',
    'contexts',
    'retrieved_contexts',
    'retrieval_context',
  ],
  state: ['state', 'final_state', 'finalState'],
  usage: ['usage', 'token_usage', 'tokenUsage'],
  cost: ['cost', 'cost_usd', 'costUsd'],
  finishReason: ['finishReason', 'finish_reason', 'stopReason', 'stop_reason'],
  transcript: ['transcript', 'messages'],
  firstTokenMs: ['firstTokenMs', 'first_token_ms'],
  error: ['error'],
} as const satisfies Record<string, readonly string[]>;

/** The names of the parts of one tool call. `function` may also be OpenAI's `{ name, arguments }`. */
export const toolCallAliases = {
  id: ['id', 'call_id', 'tool_call_id', 'toolCallId'],
  name: ['name', 'tool', 'tool_name', 'toolName', 'function'],
  arguments: [
    'arguments',
    'args',
    'input',
    'parameters',
    'params',
    'tool_input',
    'toolInput',
    'tool_args',
    'toolArgs',
    'tool_arguments',
    'tool_kwargs',
    'kwargs',
  ],
  result: ['result', 'output', 'tool_output', 'toolOutput'],
  error: ['error'],
} as const;

/** The names of the parts of one retrieved document. The names of its id and of the document that it belongs to are all stored. */
export const documentAliases = {
  id: [
    'id',
    'id_',
    'node_id',
    'document_id',
    'documentId',
    'doc_id',
    'source',
    'title',
    'url',
    'name',
    'path',
  ],
  source: [
    'document_id',
    'documentId',
    'doc_id',
    'docId',
    'source',
    'document_name',
    'documentName',
    'document',
    'file_name',
    'fileName',
    'filename',
    'file_path',
    'filePath',
    'file',
    'path',
    'url',
    'uri',
    'link',
    'title',
    'name',
  ],
  metadata: ['metadata', 'meta', 'payload'],
  text: ['text', 'content', 'page_content', 'pageContent', 'snippet', 'chunk'],
  score: ['score', 'similarity', 'relevance_score', 'relevanceScore'],
} as const;

/** The names of the token counts, including the names of the large model APIs. A dot steps into an object. */
export const usageAliases = {
  inputTokens: ['inputTokens', 'input_tokens', 'promptTokens', 'prompt_tokens'],
  outputTokens: ['outputTokens', 'output_tokens', 'completionTokens', 'completion_tokens'],
  cachedTokens: [
    'cachedTokens',
    'cached_tokens',
    'cachedInputTokens',
    'cache_read_input_tokens',
    'prompt_tokens_details.cached_tokens',
    'input_tokens_details.cached_tokens',
  ],
  reasoningTokens: [
    'reasoningTokens',
    'reasoning_tokens',
    'completion_tokens_details.reasoning_tokens',
    'output_tokens_details.reasoning_tokens',
  ],
} as const;

/** A table of names under which the parts of a reply are looked for. */
export type ReplyAliases = Readonly<Record<keyof typeof replyAliases, readonly string[]>>;

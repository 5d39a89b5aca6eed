import type { JsonObject } from './importer.ts';
import type { Ledger } from './ledger.ts';

/** The models that checks may ask. */
export type AskedModel = 'judge' | 'embedder';

/** The models that a file names for its graders, and the reason why there are none. */
interface NamedModels {
  readonly judge?: JsonObject;
  readonly embedder?: JsonObject;
  readonly missing?: string;
}

/** Returns the judge and the embedding model that checks need: the ones in the file, else models of OpenAI, which the ledger names. */
export function modelsFor(
  asked: ReadonlySet<string>,
  { judge, embedder, missing = 'None is named' }: NamedModels,
  ledger: Ledger,
): JsonObject {
  const parts: JsonObject = {};
  if (asked.has('judge')) {
    noteModel(ledger, judge, { part: 'grader', became: 'judge', note: `${missing}: gpt-5-mini is asked` });
    parts['judge'] = { use: 'chat-model', model: judge ?? { use: 'openai-chat', model: 'gpt-5-mini' } };
  }
  if (asked.has('embedder')) {
    const note = 'None is named: text-embedding-3-large is asked';
    noteModel(ledger, embedder, { part: 'embedding model', became: 'embedder', note });
    parts['embedder'] = embedder ?? { use: 'openai-embeddings', model: 'text-embedding-3-large' };
  }
  return parts;
}

function noteModel(
  ledger: Ledger,
  model: JsonObject | undefined,
  { part, became, note }: { readonly part: string; readonly became: AskedModel; readonly note: string },
): void {
  if (model !== undefined) ledger.take(part, became);
  else ledger.approximate(part, { became, note: `${note}. Choose another one under \`${became}\`.` });
}

import type { Json } from '../../schema/json.ts';
import type { ReceivedRequest } from './script.ts';

const dimensions = 64;

/** An embeddings reply: the given vectors, or ones in which texts that share words are near each other. */
export function writeEmbeddings(request: ReceivedRequest, given?: readonly (readonly number[])[]): Json {
  const texts = [request.body['input'] ?? ''].flat().map(String);
  const vectors = given ?? texts.map(embedWords);
  const tokens = texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
  return {
    object: 'list',
    model: request.model,
    data: vectors.map((vector, index) => ({ object: 'embedding', index, embedding: [...vector] })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

/** Counts of words, each at a place that depends on its letters; of length 1. */
function embedWords(text: string): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let place = 0;
    for (const character of word) place = (place * 31 + (character.codePointAt(0) ?? 0)) % dimensions;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

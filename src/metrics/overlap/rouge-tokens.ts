import { stemEnglish } from '../../lib/stem-english.ts';
import { segmentWords } from '../../lib/segment-words.ts';

const longestUnstemmed = 3;

/** Tokens as rouge_score makes them (runs of a-z and 0-9, lower case), or words of any script. */
export function rougeTokens(
  text: string,
  { stemmer, tokenizer }: { stemmer: boolean; tokenizer: 'ascii' | 'unicode' },
): string[] {
  const lower = text.toLowerCase();
  const tokens = tokenizer === 'unicode' ? segmentWords(lower) : (lower.match(/[a-z0-9]+/g) ?? []);
  return stemmer
    ? tokens.map((token) => (token.length > longestUnstemmed ? stemEnglish(token) : token))
    : tokens;
}

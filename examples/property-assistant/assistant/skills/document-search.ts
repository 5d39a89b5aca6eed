import type { Lexicon } from '../lexicon.ts';
import { quotePassage } from '../quote-passage.ts';
import type { Hit } from '../search-index.ts';
import type { Signal, Skill } from '../skill.ts';
import type { CatalogueEntry } from '../vocabulary.ts';

/** How much of what is found is told. */
export interface SearchStyle {
  lexicon: Lexicon;
  passages: number;
  sentences: number;
}

const retrieved = 5;

const subjects: Signal[] =
  `agreement policy lease minutes articles statement letter schedule report notice clause purpose member
  members vote consent unanimous quorum approve approved agent allowed cover covers covered exclude excluded
  liability limit termination terminate mention require required deductible deposit resolved`
    .split(/\s+/)
    .map((word) => [word, 2]);

/** Quotes the passages of the ingested documents nearest to the question. */
export function createDocumentSearch(catalogue: CatalogueEntry[], style: SearchStyle): Skill {
  return {
    name: 'document-search',
    signals: [...subjects, ['say', 2], ['says', 2], ['according to', 2], ['who', 1], ['happens', 1]],
    async answer(question, toolbox) {
      const named = catalogue.find((entry) => question.has(entry.title));
      const scope = named === undefined ? {} : { document: named.id };
      const hits = await toolbox.search({ query: question.text, ...scope, limit: retrieved });
      if (hits.length === 0) return 'I found nothing about that in the documents.';
      return hits
        .slice(0, style.passages)
        .map((hit) => quoteHit(hit, question.text, style))
        .join('\n');
    },
  };
}

function quoteHit({ passage }: Hit, query: string, style: SearchStyle): string {
  const quote = quotePassage(passage, query, { count: style.sentences, lexicon: style.lexicon });
  return `According to the ${passage.title} (${passage.heading}): ${quote}`;
}

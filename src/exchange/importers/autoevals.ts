import type { JsonObject } from './importer.ts';
import type { Ledger } from './ledger.ts';

/** Our metrics for the scorers of autoevals that compute and ask no model; `json-valid` alone needs no expected answer. */
const computed: Readonly<Record<string, JsonObject>> = {
  exactmatch: { use: 'equals' },
  levenshtein: { use: 'edit-similarity' },
  numericdiff: { use: 'numeric-difference' },
  jsondiff: { use: 'json-difference' },
  listcontains: { use: 'list-contains', from: 'expected.answer', separator: 'comma' },
  validjson: { use: 'json-valid' },
};

/** The metrics that come near scorers of autoevals which ask a model, in words for the ledger. */
const asking: Readonly<Record<string, string>> = {
  factuality: 'The metric `correctness` is near it.',
  answercorrectness: 'The metric `correctness` is near it.',
  closedqa: 'The metric `rubric` is near it.',
  summary: 'The metric `rubric` with the text of its prompt is near it.',
  translation: 'The metric `rubric` with the text of its prompt is near it.',
  humor: 'The metric `rubric` with the text of its prompt is near it.',
  possible: 'The metric `rubric` with the text of its prompt is near it.',
  security: 'The metric `rubric` with the text of its prompt is near it.',
  sql: 'The metric `rubric` with the text of its prompt is near it.',
  battle: 'It compares two answers, as `touchstone prefer` does.',
  moderation: 'The metric `moderation` is near it.',
  faithfulness: 'The metric `groundedness` is near it.',
  answerrelevancy: 'The metric `relevance` is near it.',
  answersimilarity: 'The metric `semantic-similarity` is near it.',
  embeddingsimilarity: 'The metric `semantic-similarity` is near it.',
  contextprecision: 'The metric `context-precision` is near it.',
  contextrecall: 'The metric `context-recall` is near it.',
  contextrelevancy: 'The metric `context-relevance` is near it.',
  contextentityrecall: 'Entities of contexts are not extracted by any metric.',
};

/** The end of the name of a metric of ours next to a recorded score of the same name. */
export const besideSuffix = ' (touchstone)';

/**
 * Returns our metrics for recorded scores with names of autoevals, so that both stand side by side. A scorer that asks a model
 * is named with the metric that comes near it, since no model is asked again about recorded answers.
 */
export function metricsBeside(
  names: readonly string[],
  { isExpecting, ledger }: { readonly isExpecting: boolean; readonly ledger: Ledger },
): JsonObject[] {
  return names.flatMap((name) => {
    const key = name
      .toLowerCase()
      .replaceAll(/[_\s-]/g, '')
      .replace(/scorer$/, '');
    const own = Object.hasOwn(computed, key) ? computed[key] : undefined;
    // Words such as "summary" are names of many scorers; autoevals writes them with a capital letter.
    const near = Object.hasOwn(asking, key) && /^[A-Z]/.test(name) ? asking[key] : undefined;
    if (near !== undefined) {
      ledger.leaveOut(`our metric in addition to ${name}`, {
        note: `${near} It is not added: no model is asked again about recorded answers.`,
      });
    }
    if (own === undefined) return [];
    if (!isExpecting && own['use'] !== 'json-valid') {
      ledger.leaveOut(`our metric in addition to ${name}`, {
        note: `\`${String(own['use'])}\` needs expected answers, which are not in the file.`,
      });
      return [];
    }
    ledger.take(`scorer ${name}`, `metric ${String(own['use'])}`);
    return [{ ...own, name: `${name}${besideSuffix}` }];
  });
}

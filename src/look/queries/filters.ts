import { TouchstoneError } from '../../core/errors.ts';
import { fieldNames, type Vocabulary, vocabularyOf } from '../../core/lib/filter/fields.ts';
import type { Filter, Sort } from '../../core/lib/filter/filter.ts';
import { parseFilter } from '../../core/lib/filter/parse-filter.ts';
import { parseSort } from '../../core/lib/filter/parse-sort.ts';
import type { Case } from '../../core/schema/case.ts';
import type { Run } from '../../core/schema/run.ts';
import { matchCases } from '../../core/trials/trial-values.ts';

/**
 * Parses a filter of cases, as `--filter` gives it to commands that ask questions: the terms of all texts must match.
 * Throws `usage-invalid`.
 */
export function parseCaseFilter(texts: readonly string[]): (testCase: Case) => boolean {
  return matchCases(parseTexts(texts, vocabularyOf('case')));
}

/** Parses a filter of the trials of a run: the terms of all texts must match. Throws `usage-invalid`. */
export function parseTrialFilter(texts: readonly string[], run: Pick<Run, 'metrics'>): Filter {
  return parseTexts(texts, trialVocabulary(run));
}

/** Parses an order of the trials of a run, such as `total` or `-latencyMs`. Throws `usage-invalid`. */
export function parseTrialSort(text: string, run: Pick<Run, 'metrics'>): Sort {
  return sortOf(text, trialVocabulary(run));
}

/** Returns the fields of the trials of a run. */
function trialVocabulary({ metrics }: Pick<Run, 'metrics'>): Vocabulary {
  return vocabularyOf(
    'trial',
    metrics.map(({ name }) => name),
  );
}

/** Parses the terms of several texts, all of which must match. Throws `usage-invalid`. */
export function parseTexts(texts: readonly string[], vocabulary: Vocabulary): Filter {
  return texts.flatMap((text) => {
    const { filter, problem } = parseFilter(text, vocabulary);
    if (filter !== undefined) return filter;
    throw new TouchstoneError('usage-invalid', problem.message, {
      remedy: `Filter by ${fieldNames(vocabulary).join(', ')}: ${examples[vocabulary.subject]}.`,
    });
  });
}

/** Parses an order. Throws `usage-invalid`. */
export function sortOf(text: string, vocabulary: Vocabulary): Sort {
  const { sort, problem } = parseSort(text, vocabulary);
  if (sort !== undefined) return sort;
  const known = ['ordinal', ...fieldNames(vocabulary)].join(', ');
  throw new TouchstoneError('usage-invalid', problem, { remedy: `Sort by one of ${known}.` });
}

const examples: Readonly<Record<Vocabulary['subject'], string>> = {
  case: "--filter 'category=hybrid' or --filter 'id=tax-*'",
  trial: "--filter 'passed=false category=hybrid' or --filter 'total<0.7'",
  pair: "'a.passed=true b.passed=false' or 'change<-0.2'",
  matrix: "'cells=differ' or 'a.passed=true c.passed=false'",
  run: "'dataset=golden*' or 'decision=fail'",
};

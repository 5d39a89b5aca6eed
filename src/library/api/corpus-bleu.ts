import type { z } from 'zod';
import {
  bleu,
  type BleuCounts,
  type BleuScore,
  countBleu,
  scoreBleu,
} from '../../evaluate/metrics/overlap/bleu.ts';
import { referencesOf } from '../../evaluate/metrics/text/references.ts';
import { findWholeRun } from './named-runs.ts';
import { type StoreChoice, withStore } from './open-store.ts';

/** Options of corpus BLEU: the options of the metric `bleu` without a threshold; `effectiveOrder` is false by default. */
export interface CorpusBleuOptions
  extends StoreChoice,
    Partial<Omit<z.output<typeof bleu.definition.options>, 'threshold'>> {}

/** The BLEU of all answers of a target together, from 0 to 1. */
export interface CorpusBleu extends BleuScore {
  readonly target: string;
  /** The number of answers that count: those with an expected answer. */
  readonly answers: number;
  /** The number of trials without an answer, which do not count. */
  readonly unanswered: number;
}

/**
 * Computes corpus BLEU of the answers of a run, one number for each target, as `corpus_bleu` of sacreBLEU does, divided by 100:
 * n-grams are counted over all answers, and the precisions and the brevity penalty are computed from the sums.
 * @param runId - A run by its id, a part of it, `latest`, `latest~1`, the name of a baseline, or its own name.
 */
export async function corpusBleu(
  runId = 'latest',
  { folder, config, store, ...bleuOptions }: CorpusBleuOptions = {},
): Promise<CorpusBleu[]> {
  const options = bleu.definition.options.parse({ effectiveOrder: false, ...bleuOptions });
  return await withStore({ folder, config, store }, async (opened) => {
    const run = await findWholeRun(opened, runId);
    const sums = new Map<string, { counts: BleuCounts | undefined; answers: number; unanswered: number }>();
    for await (const { case: testCase, trial } of opened.readResults(run.id)) {
      const sum = sums.get(trial.target) ?? { counts: undefined, answers: 0, unanswered: 0 };
      sums.set(trial.target, sum);
      const references = referencesOf(testCase, options.from);
      if (references.length === 0) continue;
      if (trial.answer === null) sum.unanswered += 1;
      else {
        const counts = countBleu(trial.answer, references, options);
        if (counts === undefined) continue;
        sum.counts = sum.counts === undefined ? counts : add(sum.counts, counts);
        sum.answers += 1;
      }
    }
    return [...sums].flatMap(([target, { counts, answers, unanswered }]) =>
      counts === undefined ? [] : [{ target, answers, unanswered, ...scoreBleu(counts, options) }],
    );
  });
}

function add(sum: BleuCounts, counts: BleuCounts): BleuCounts {
  const addEach = (one: readonly number[], other: readonly number[]) =>
    one.map((value, index) => value + (other[index] ?? 0));
  return {
    matches: addEach(sum.matches, counts.matches),
    totals: addEach(sum.totals, counts.totals),
    answerTokens: sum.answerTokens + counts.answerTokens,
    referenceTokens: sum.referenceTokens + counts.referenceTokens,
  };
}

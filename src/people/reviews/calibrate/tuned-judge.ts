import { foldForComparison } from '../../../core/lib/text/fold.ts';
import { hashText } from '../../../core/lib/content-hash.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { CalibrationSplit } from '../../../core/schema/review/certificate.ts';
import type { ReviewItem, ReviewTask } from '../../../core/schema/review/review-task.ts';
import type { RunMetric } from '../../../core/schema/run.ts';

/** A half of all cases: the one to tune judges with, and the one to certify them with. */
export type Half = 'tune' | 'certify';

/**
 * Returns the half that a case belongs to: half of all cases each, by the hash of the content. All answers to a case are in the
 * same half, in every run and review task.
 */
export function halfOf({ caseHash }: ReviewItem['subject']): Half {
  return Number.parseInt(hashText(`half ${caseHash}`).slice(0, 1), 16) < 8 ? 'tune' : 'certify';
}

/** The facts from which it follows whether a judge may have been tuned on the labels. */
export interface TuningFacts {
  readonly task: Pick<ReviewTask, 'judged'>;
  readonly metric: Pick<RunMetric, 'name' | 'fingerprint'>;
  /** The fingerprint that the metric had in the run that was labelled; undefined when the run is gone. */
  readonly labelled: string | undefined;
  /** True when the user says so. */
  readonly isTuned: boolean;
  /** The number of labelled items for tuning that the prompt of the judge contains. */
  readonly tuningItemsInPrompt: number;
}

/** Decides which labels certify: all of them, or only the certify half when the judge may have been tuned on labels. */
export function chooseSplit(facts: TuningFacts): Pick<CalibrationSplit, 'part' | 'why'> {
  const why = whyTuned(facts);
  if (why !== undefined)
    return { part: 'certify', why: `${why} Only the certify half of the labels counts.` };
  return {
    part: 'all',
    why: 'The judge has not been changed since the answers were drawn: all labels count.',
  };
}

function whyTuned(facts: TuningFacts): string | undefined {
  const { task, metric, labelled, isTuned, tuningItemsInPrompt } = facts;
  if (isTuned) return 'The judge was tuned on labels, as the command says.';
  if (tuningItemsInPrompt > 0)
    return `The judge's prompt contains ${tuningItemsInPrompt} labelled ${tuningItemsInPrompt === 1 ? 'item' : 'items'} of the half for tuning.`;
  const known = task.judged?.find(({ metric: name }) => name === metric.name)?.fingerprint ?? labelled;
  if (known === undefined) return 'It is unknown whether the judge was changed after the answers were drawn.';
  return known === metric.fingerprint
    ? undefined
    : 'The judge was changed after the answers were drawn, so that it may have been tuned on the labels.';
}

/** A labelled item with its texts. */
export interface ItemTexts {
  readonly caseId: string;
  readonly question: string;
  readonly answer: string;
}

/** A text of a labelled item that a prompt contains. */
export interface PromptLeak {
  readonly caseId: string;
  readonly text: 'question' | 'answer';
}

/** The least number of characters of a text that is searched for: shorter ones, such as "I don't know.", are no proof. */
const leastLength = 20;

/**
 * Finds the labelled items whose question or answer a judge's prompt contains, ignoring case, spaces and line breaks. A judge
 * that was shown an answer with its label cannot be certified by it.
 */
export function findLeaks<Item extends ItemTexts>(
  prompts: Iterable<string>,
  items: readonly Item[],
): (Item & PromptLeak)[] {
  const text = Array.from(prompts, foldForComparison).join('\n');
  const isIn = (part: string) => {
    const normal = foldForComparison(part);
    return normal.length >= leastLength && hasWords(text, normal);
  };
  return items.flatMap((item): (Item & PromptLeak)[] => {
    if (isIn(item.question)) return [{ ...item, text: 'question' }];
    return isIn(item.answer) ? [{ ...item, text: 'answer' }] : [];
  });
}

/** Returns whether a text contains a part that neither begins nor ends inside a word or a number. */
function hasWords(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + part.length)];
    if (!isWord(before + part.charAt(0)) && !isWord(part.charAt(part.length - 1) + after)) return true;
  }
  return false;
}

function isWord(pair: string): boolean {
  return /^[\p{L}\p{N}]{2}$/u.test(pair);
}

/** Yields all texts in the settings of a metric: its question, its template, its examples. */
export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value as Readonly<Record<string, Json>>)) yield* textsIn(part);
}

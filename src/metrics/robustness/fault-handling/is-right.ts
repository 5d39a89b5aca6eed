import type { Case } from '../../../schema/case.ts';
import type { Trial } from '../../../schema/trial.ts';
import { createSupport } from '../../grounding/fact-support.ts';
import { factKinds } from '../../grounding/fact.ts';
import { findFacts } from '../../grounding/find-facts.ts';
import { foldWords } from '../../grounding/fold-words.ts';
import { compileMatcher } from '../../matching/compile-matcher.ts';
import type { DateStyle } from '../../values/find-dates.ts';

/**
 * Whether an answer is what its case expects, all of it: keywords and entities, one of the reference answers, the final
 * state. Undefined where the case expects nothing that could be looked up.
 */
export function isRight({ expected }: Case, trial: Trial, style: DateStyle): boolean | undefined {
  const answer = trial.answer ?? '';
  const folded = answer.toLowerCase();
  const texts = [...(expected.keywords ?? []), ...(expected.entities ?? [])];
  const references = [expected.answer ?? []].flat().filter((reference) => reference.trim() !== '');
  const checks: boolean[] = [];
  if (texts.length > 0) checks.push(texts.every((text) => folded.includes(text.toLowerCase())));
  if (references.length > 0) checks.push(references.some((reference) => says(answer, reference, style)));
  if (expected.state !== undefined) {
    const expectation = compileMatcher(expected.state, { mode: 'superset' });
    checks.push(expectation.match(trial.state).length === 0);
  }
  return checks.length === 0 ? undefined : checks.every(Boolean);
}

/** Whether a case says anything of the words of the answer, and not only of the final state. */
export function expectsWords({ expected }: Case): boolean {
  const { keywords = [], entities = [], answer = [] } = expected;
  return [...keywords, ...entities, ...[answer].flat()].length > 0;
}

/** Whether an answer holds every figure, date and name of a reference; of one without any, its words in order. */
function says(answer: string, reference: string, style: DateStyle): boolean {
  const facts = findFacts(reference, factKinds, style);
  if (facts.length > 0) return facts.every(createSupport([answer], style));
  return foldWords(answer).includes(foldWords(reference));
}

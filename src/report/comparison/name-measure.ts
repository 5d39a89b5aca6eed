import type { RunDifference } from '../../schema/run-comparison.ts';
import { type Phrase, quote } from '../phrase.ts';

const names: Partial<Record<RunDifference['measure'], string>> = {
  score: 'score',
  passed: 'pass rate',
  errors: 'error rate',
  latency: 'latency, mean',
  'input-tokens': 'tokens in, per call',
  'output-tokens': 'tokens out, per call',
  cost: 'cost per call',
};

/** What a row is called: our own words, or a name from outside. */
export function nameMeasure({ measure, name }: Pick<RunDifference, 'measure' | 'name'>): Phrase {
  const own = names[measure];
  if (own !== undefined) return [own];
  return measure === 'category' ? ['category ', quote(name)] : [quote(name)];
}

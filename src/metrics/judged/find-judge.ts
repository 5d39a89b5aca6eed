import { TouchstoneError } from '../../errors.ts';
import type { Judge } from '../../judges/judge.ts';
import type { MetricNeeds } from '../metric.ts';
import type { JudgedOptions } from './judged-options.ts';

/** The judge of a metric. Throws `judge-missing`. */
export function findJudge(
  metric: string,
  { judge }: Pick<JudgedOptions, 'judge'>,
  needs: MetricNeeds,
): Judge {
  const found = needs.judge?.(judge);
  if (found !== undefined) return found;
  throw new TouchstoneError('judge-missing', `the metric ${metric} asks a judge, and none is configured`);
}

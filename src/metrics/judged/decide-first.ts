import { TouchstoneError } from '../../errors.ts';
import type { Verdict } from '../../schema/verdict.ts';
import type { Metric, MetricInput, MetricNeeds } from '../metric.ts';
import type { JudgedOptions } from './judged-options.ts';

const tolerance = 1e-9;

type Rule = JudgedOptions['decidedBy'][number];

/** Gives the verdict that a computed metric decides on, so that the judge need not be asked. */
export type DecideFirst = (input: MetricInput) => Verdict | undefined;

/** Makes the rules of `decidedBy` ready. Throws `config-invalid` for a rule that could not decide. */
export function createDecideFirst({ decidedBy, threshold }: JudgedOptions, needs: MetricNeeds): DecideFirst {
  const rules = decidedBy.map((rule) => {
    if (rule.atLeast === undefined && rule.atMost === undefined) {
      throw refusal('a rule of `decidedBy` needs `atLeast` or `atMost`');
    }
    const metric = needs.metric?.(rule.metric);
    if (metric === undefined || metric.concurrency !== undefined) {
      throw refusal(`${nameOf(rule)} computes nothing by itself, so it cannot spare the judge`);
    }
    return { rule, metric };
  });
  return (input) => {
    for (const { rule, metric } of rules) {
      const value = measure(metric, input);
      if (value === undefined || !decides(rule, value)) continue;
      return {
        status: 'scored',
        value: rule.score,
        passed: threshold === undefined ? undefined : rule.score >= threshold - tolerance,
        explanation: `decided without the judge: ${nameOf(rule)} is ${value}`,
        evidence: { decidedBy: nameOf(rule), value },
      };
    }
    return undefined;
  };
}

function measure(metric: Metric, input: MetricInput): number | undefined {
  const verdict = metric.score(input);
  if (verdict instanceof Promise) return undefined;
  return verdict.status === 'scored' ? verdict.value : undefined;
}

function decides({ atLeast = -Infinity, atMost = Infinity }: Rule, value: number): boolean {
  return value >= atLeast - tolerance && value <= atMost + tolerance;
}

function nameOf({ metric }: Rule): string {
  return typeof metric === 'string' ? metric : (metric.name ?? metric.use);
}

function refusal(message: string): TouchstoneError {
  return new TouchstoneError('config-invalid', message);
}

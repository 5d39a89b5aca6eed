import type { Config } from '../../config/config.ts';
import { expectations } from '../../schema/expectation.ts';
import type { Survey } from './survey-recording.ts';

/** The rules by which recorded answers are scored where no config names any. */
export interface DefaultRules extends Pick<Config, 'scorecard' | 'metrics' | 'unread'> {
  /** What is worth saying of them. */
  readonly notice?: string;
}

/**
 * A verdict that was recorded decides alone; without one, and without anything expected, there is nothing to pass, and the
 * metrics are those that need no expectations. Else the rules are the usual ones.
 * @param hasOwnCases - The cases stand in the same file as the answers.
 */
export function defaultRules({ verdict, hasExpectations }: Survey, hasOwnCases: boolean): DefaultRules {
  if (verdict !== undefined) return byVerdict(verdict);
  if (!hasOwnCases || hasExpectations) return {};
  return {
    scorecard: null,
    metrics: ['error-handling', 'tool-failures', 'supported-facts', 'latency', 'first-token'],
    notice:
      'Nothing is expected of the answers: only metrics that need no expectations apply. `--dataset` names a file that has some.',
  };
}

function byVerdict(column: string): DefaultRules {
  const metric = { use: 'recorded-score', name: column, field: column };
  return {
    scorecard: { use: 'weighted', name: 'recorded', criteria: [{ metric, weight: 1, required: true }] },
    metrics: ['tool-calls', 'latency'],
    // Who recorded the verdict has looked at what was expected.
    unread: [...expectations],
    notice: `The recorded \`${column}\` decides what passed; a config named with \`--config\` has other rules.`,
  };
}

import type { Evaluation } from '../run/evaluation.ts';
import type { CaseRule } from '../schema/case-rule.ts';
import type { CheckedConfig } from './config.ts';
import { ConfigProblem } from './config-problem.ts';

/**
 * How often each case is tried, and how many of the attempts have to pass. `4 of 5` says both. Throws `ConfigProblem` for
 * more passes than attempts, and for two numbers of attempts.
 */
export function resolveAttempts({
  attempts,
  passes,
  curtail,
  scorecard,
}: Pick<CheckedConfig, 'attempts' | 'passes' | 'curtail' | 'scorecard'>): Pick<
  Evaluation,
  'attempts' | 'caseRule'
> {
  if (passes === undefined) return { attempts };
  const [needed, of = attempts] = typeof passes === 'number' ? [passes] : readRule(passes);
  if (attempts !== 1 && attempts !== of) {
    throw problem(`it speaks of ${of} attempts, and \`attempts\` is ${attempts}`);
  }
  if (needed > of) {
    const made = of === 1 ? 'one is made' : `${of} are made`;
    throw problem(
      `${needed} attempts cannot pass where ${made}: write as in \`4 of 5\`, or raise \`attempts\``,
    );
  }
  if (scorecard === null) throw problem('without a scorecard no attempt passes or fails');
  const caseRule: CaseRule = { passes: needed, isCurtailed: curtail };
  return { attempts: of, caseRule };
}

/** `4 of 5`. */
function readRule(text: string): [needed: number, of: number] {
  const [needed, of] = text.split('of').map(Number);
  return [needed ?? Number.NaN, of ?? Number.NaN];
}

function problem(message: string): ConfigProblem {
  return new ConfigProblem([{ path: ['passes'], message }]);
}

import { z } from 'zod';
import { messageOf } from '../../../core/errors.ts';
import type { Case } from '../../../core/schema/case.ts';
import type { ExpectedCheck } from '../../../core/schema/checks/expected-checks.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { type CaseMetrics, defineMetric, scoreSafely } from '../metric.ts';
import { compileCheck, type CompiledCheck, findNamed, listMetrics } from './compile-checks.ts';
import { verdictOfChecks } from './verdict-of-checks.ts';
import { notApplicable } from '../verdicts.ts';

/**
 * Makes the checks that each case brings along in `expected.checks`. The value is the weighted mean of the checks that
 * count; the answer passes when all of them pass, or, in a case with a pass mark, when the mean reaches it and each
 * required one passes. Not applicable to a case without checks.
 */
export const caseChecks = defineMetric({
  name: 'case-checks',
  version: 1,
  aspect: 'own-checks',
  reads: ['checks'],
  summary:
    'The checks that each question brings along in `expected.checks`: their weighted mean, and whether all pass.',
  words: 'checks of a question, assertions, assert, per question, per case, test case, custom check',
  options: () =>
    z.strictObject({
      check: z
        .string()
        .trim()
        .min(1)
        .optional()
        .describe(
          'Only the checks of this `name`, of all questions that have one: `{ use: case-checks, check: tone, name: tone }` is the criterion "tone".',
        ),
    }),
  create: ({ check }, { judge, embedder, caseMetrics }) => {
    const compile = createCompiler(caseMetrics, check);
    const asked = judge?.();
    return {
      ...(asked !== undefined && { judge: asked, concurrency: 2 * asked.concurrency }),
      identity: {
        versions: caseMetrics?.versions ?? {},
        embedder: embedder?.({ timeLimitMs: 0 }).fingerprint ?? null,
      },
      parts: (input) => listMetrics(compile(input.case)).map((metric) => ({ metric, input })),
      score: async (input, context) => {
        const checks = tryCompile(() => compile(input.case));
        if ('status' in checks) return checks;
        if (checks.length === 0) return notApplicable(reasonOf(check));
        const passMark = check === undefined ? input.case.expected.passMark : undefined;
        const verdicts = listMetrics(checks).map((metric) => scoreSafely(metric, input, context));
        return verdictOfChecks(checks, await Promise.all(verdicts), passMark);
      },
    };
  },
});

function reasonOf(check: string | undefined): string {
  return check === undefined ? 'the question has no checks' : `the question has no check named ${check}`;
}

type Compiler = (testCase: Pick<Case, 'expected'>) => readonly CompiledCheck[];

const none: readonly CompiledCheck[] = [];

/** Creates a function that compiles the checks of a case, once for each list of checks. */
function createCompiler(metrics: CaseMetrics | undefined, name: string | undefined): Compiler {
  const compiled = new WeakMap<readonly ExpectedCheck[], readonly CompiledCheck[]>();
  return ({ expected: { checks } }) => {
    if (checks === undefined) return none;
    const known = compiled.get(checks);
    if (known !== undefined) return known;
    if (metrics === undefined) throw new TypeError('There are no metrics that a check could name.');
    const all = checks.map((check) => compileCheck(check, metrics));
    const wanted = name === undefined ? all : withWeights(findNamed(all, name));
    compiled.set(checks, wanted);
    return wanted;
  };
}

/** Returns checks that count: a check of weight 0 counts for nothing in its case, but it does among the checks of its name. */
function withWeights(checks: readonly CompiledCheck[]): readonly CompiledCheck[] {
  return checks.some(({ weight }) => weight > 0) ? checks : checks.map((check) => ({ ...check, weight: 1 }));
}

/** Compiles checks. Checks of a stored case may name a metric or an option that there is no longer. */
function tryCompile(
  compile: () => readonly CompiledCheck[],
): readonly CompiledCheck[] | Extract<Verdict, { status: 'failed' }> {
  try {
    return compile();
  } catch (error) {
    return { status: 'failed', code: 'check-invalid', reason: messageOf(error) };
  }
}

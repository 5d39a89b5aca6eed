import { headlineParts } from '../report/headline.ts';
import { countSuites, isRestNeeded, type Suite } from './junit/count-suites.ts';
import { countGate, gateCases } from './junit/gate-suite.ts';
import { sumCounts, type TestCounts, toSeconds } from './junit/test-counts.ts';
import { testCases } from './junit/test-cases.ts';
import { xmlAttributes } from './junit/xml-text.ts';
import type { Reporter, ReportInput } from './reporter.ts';

/**
 * JUnit XML, as Jenkins' schema has it, for whatever shows tests: a suite for the gate and one for each target, with a
 * test case for each question, its attempts taken together. Targets under a condition are left out: they are meant to
 * suffer. Read twice for the numbers that stand before their parts, so that any size will do.
 */
export const junit: Reporter = {
  name: 'junit',
  extensions: ['.xml'],
  async *report(input) {
    const { decision } = input.summary;
    const gate = countGate(decision);
    const suites = await countSuites(input);
    const { skipped: _, ...sums } = countAttributes(sumCounts([gate, ...suites.map(({ counts }) => counts)]));
    yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${xmlAttributes({ name: 'touchstone', ...sums })}>\n`;
    yield `${openSuite(input, 'gate', gate)}${gateCases(decision)}</testsuite>\n`;
    for (const suite of suites) yield* targetSuite(input, suite);
    yield '</testsuites>\n';
  },
};

async function* targetSuite(input: ReportInput, { target, counts, missing }: Suite): AsyncGenerator<string> {
  yield openSuite(input, target, counts) + properties(input, target);
  yield* testCases(input, target);
  if (missing > 0) {
    const name = `${missing} of ${input.run.dataset.cases} questions`;
    const open = `<testcase${xmlAttributes({ name, classname: target })}>`;
    const why = isRestNeeded(input)
      ? `<error${xmlAttributes({ message: 'not asked', type: 'not-run' })}/>`
      : `<skipped${xmlAttributes({ message: 'not needed: the gate was decided without it' })}/>`;
    yield `${open}\n${why}\n</testcase>\n`;
  }
  yield '</testsuite>\n';
}

function openSuite({ run }: ReportInput, name: string, counts: TestCounts): string {
  // Without fraction and time zone, which some schemas forbid; in UTC.
  const timestamp = run.createdAt.slice(0, 19);
  return `<testsuite${xmlAttributes({ name, ...countAttributes(counts), timestamp })}>\n`;
}

function countAttributes({ timeMs, ...counts }: TestCounts) {
  return { ...counts, time: toSeconds(timeMs) };
}

function properties({ run, summary, narrowing }: ReportInput, name: string): string {
  const own = summary.targets.find(({ target }) => target === name);
  const known = {
    run: run.id,
    score: own === undefined ? undefined : headlineParts(own, run).join(' · '),
    'only a part of the run': narrowing,
  };
  const lines = Object.entries(known).map(([key, value]) =>
    value === undefined ? '' : `<property${xmlAttributes({ name: key, value })}/>\n`,
  );
  return `<properties>\n${lines.join('')}</properties>\n`;
}

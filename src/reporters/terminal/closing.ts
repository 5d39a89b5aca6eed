import { shorten } from '../../lib/terminal-text.ts';
import type { Gate } from '../../schema/run.ts';
import type { Decision } from '../../schema/summary.ts';
import type { ReportInput } from '../reporter.ts';
import { commandLines } from './command-lines.ts';
import { flow } from './flow.ts';
import { type Line, lineWidth, span, type Tone } from './line.ts';
import { rule } from './title.ts';

const mostReasons = 12;
const longestReason = 400;

const outcomes = {
  pass: ['PASS', 'good'],
  fail: ['FAIL', 'bad'],
  inconclusive: ['INCONCLUSIVE', 'fair'],
  'not-measured': ['NOT MEASURED', 'fault'],
} as const satisfies Record<Decision['outcome'], readonly [string, Tone]>;

/** The end of the report, where the eye rests after a run: what the gate decided and why, and where to read on. */
export function closingLines(input: ReportInput, width: number, isVerbose: boolean): Line[] {
  const { run, summary } = input;
  const hasUnresolved = summary.targets.some(({ counts }) =>
    run.scorecard === null ? counts.errors > 0 : counts.passed < counts.planned - (counts.notNeeded ?? 0),
  );
  const ways = [
    ['Every answer:', '--verbose'],
    ...(hasUnresolved ? [['Not passed:', '--failed --verbose']] : []),
    ['One question:', "--verbose --filter 'id=…'"],
  ];
  return [
    rule(width),
    ...decisionLines(run.gate, summary.decision, width),
    ...(isVerbose ? [] : ways.flatMap(([what = '', flags = '']) => wayOn(input, what, flags, width))),
  ];
}

/** The end of the report of a part: where the whole is. */
export function narrowedClosing(input: ReportInput, width: number): Line[] {
  return [rule(width), ...wayOn(input, 'The whole run:', '', width)];
}

function wayOn(input: ReportInput, what: string, flags: string, width: number): Line[] {
  return commandLines(input, { lead: what.padEnd(15), flags }, width);
}

function decisionLines({ failUnder }: Gate, { outcome, reasons, rules }: Decision, width: number): Line[] {
  const isUngated = outcome === 'pass' && failUnder === undefined && rules === undefined;
  const [word, tone] = isUngated ? (['DONE', 'strong'] as const) : outcomes[outcome];
  const said = isUngated && reasons.length === 0 ? ['no least score is set: --fail-under sets one'] : reasons;
  const first = [span(word, tone), span('  ')];
  if (said.length === 0) return [first];
  const shown = said.slice(0, mostReasons);
  return shown.flatMap((reason, index) => {
    const start = index === 0 ? first : [span(' '.repeat(lineWidth(first)))];
    return flow([span(shorten(reason, longestReason))], { width, first: start });
  });
}

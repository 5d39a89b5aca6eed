import { shorten } from '../../lib/terminal-text.ts';
import type { Gate } from '../../schema/run.ts';
import type { Decision } from '../../schema/summary.ts';
import type { ReportInput } from '../reporter.ts';
import { flow, indented } from './flow.ts';
import { type Line, lineWidth, span, type Tone, whole } from './line.ts';
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
export function closingLines({ run, summary }: ReportInput, width: number, isVerbose: boolean): Line[] {
  const hasUnresolved = summary.targets.some(({ counts }) =>
    run.scorecard === null ? counts.errors > 0 : counts.passed < counts.planned,
  );
  const ways = [
    ['Every answer:', '--verbose'],
    ...(hasUnresolved ? [['Not passed:', '--failed --verbose']] : []),
    ['One question:', "--verbose --filter 'id=…'"],
  ];
  return [
    rule(width),
    ...decisionLines(run.gate, summary.decision, width),
    ...(isVerbose ? [] : ways.flatMap(([what = '', flags = '']) => wayOn(run.id, what, flags, width))),
  ];
}

/** The end of the report of a part: where the whole is. */
export function narrowedClosing({ run }: ReportInput, width: number): Line[] {
  return [rule(width), ...wayOn(run.id, 'The whole run:', '', width)];
}

function wayOn(runId: string, what: string, flags: string, width: number): Line[] {
  const command = `touchstone show ${runId} ${flags}`.trim();
  return indented([span(what.padEnd(15), 'quiet'), whole(command)], width, 0);
}

function decisionLines({ failUnder }: Gate, { outcome, reasons }: Decision, width: number): Line[] {
  const isUngated = outcome === 'pass' && failUnder === undefined;
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

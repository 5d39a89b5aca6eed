import { displayWidth } from '../../lib/display-width.ts';
import { firstUnits, shorten } from '../../lib/terminal-text.ts';
import type { Result } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import type { Verdict } from '../../schema/verdict.ts';
import { formatWeight } from '../../report/format/format-number.ts';
import { formatQuantity } from '../../report/format/format-quantity.ts';
import { type Line, span, whole } from './line.ts';
import { shareTone } from './tone.ts';

const longestExplanation = 2000;
const widestName = 24;

/** Every verdict of a trial in a line of its own: components in the order of the scorecard, then the other metrics. */
export function scoreLines(run: Run, { verdicts, scorecard }: Result): Line[] {
  const criteria = run.scorecard?.criteria ?? [];
  const others = Object.keys(verdicts).filter(
    (metric) => !criteria.some((criterion) => criterion.metric === metric),
  );
  const rows = [
    ...criteria.map(({ name, metric, weight }) => ({ name, weight, verdict: verdicts[metric] })),
    ...others.map((name) => ({ name, weight: 0, verdict: verdicts[name] })),
  ];
  const widest = Math.min(
    widestName,
    Math.max(0, ...rows.map(({ name }) => displayWidth(shorten(name, widestName)))),
  );
  const lines = rows.map(
    ({ name, verdict, weight }): Line => [
      whole(padEnd(name, widest)),
      span('  '),
      ...verdictSpans(verdict, weight),
    ],
  );
  const explanation = scorecard?.explanation ?? '';
  return explanation === ''
    ? lines
    : [...lines, [whole(padEnd('total', widest)), span('  '), ...told(explanation)]];
}

function verdictSpans(verdict: Verdict | undefined, weight: number): Line {
  if (verdict === undefined) return [span('no verdict', 'quiet')];
  if (verdict.status === 'failed') {
    return [span('not measured: ', 'fair'), ...told(`${verdict.code}, ${verdict.reason}`)];
  }
  if (verdict.status === 'not-applicable')
    return [span('not applicable: ', 'quiet'), ...told(verdict.reason)];
  const { value, unit, explanation = '' } = verdict;
  return [
    whole(formatQuantity(value, unit).padStart(7), unit === undefined ? shareTone(value) : undefined),
    ...(weight > 0 ? [span(` × ${formatWeight(weight)}`, 'quiet')] : []),
    ...(explanation === '' ? [] : [span('  '), ...told(explanation)]),
  ];
}

function padEnd(name: string, width: number): string {
  const shown = shorten(name, width);
  return shown + ' '.repeat(width - displayWidth(shown));
}

function told(text: string): Line {
  return [span(firstUnits(text, longestExplanation), 'quiet')];
}

import { displayPath } from '../../core/lib/text/display-path.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { stringify } from 'yaml';
import type { ConfusionCounts } from '../../core/stats/agreement/confusion.ts';
import type { MadeMetric } from '../../library/api/modes/make-metric.ts';

/** Describes a metric that was drafted, before anything is written. */
export function describeMade(made: MadeMetric): string {
  const { mode, type, marked, checks, change, settings, config } = made;
  const { tune, certify } = marked;
  return toText([
    `${mode.id}: ${mode.definition}`,
    `${tune.having} answers with it and ${tune.free} without to learn from; ${certify.having} and ${certify.free} to count on.`,
    ...describeAgreement(made),
    '',
    ...describeChecks(checks),
    type === 'check' ? 'A check, no judge needed:' : 'A judge, with examples of the half to learn from:',
    '',
    ...(settings.length === 0 ? [`The config has the metric ${made.name} already.`] : []),
    ...(change === null && settings.length > 0
      ? [`Add to ${displayPath(config)}:`, '', stringify(asConfig(settings), { lineWidth: 0 })]
      : [change?.diff ?? '']),
  ]);
}

function describeAgreement({ agreement, mode }: MadeMetric): string[] {
  if (agreement?.isUnclear !== true) return [];
  return [
    `WARNING  Readers agree too little on ${mode.id} (${agreement.n} read by two): the definition is the problem, and no metric mends it. Sharpen it first: \`touchstone modes redefine ${mode.id} --definition "…"\`, and mark again.`,
  ];
}

/**
 * Says what was written, and what to do next.
 * @param place - The options of the commands that follow, as `placeFlags` writes them.
 */
export function describeWritten(made: MadeMetric, place = ''): string {
  const { name, type, labels, isWritten, change, expected } = made;
  if (!isWritten && change !== null) return 'Nothing was written.\n';
  const added = isWritten ? `Added the metric ${name}.` : `The metric is ${name}.`;
  const rescore = `  touchstone rescore latest${place}`;
  if (type === 'check') return toText([added, '', 'Next:', rescore]);
  return toText([
    `${added} ${labels} marks became labels of its rubric.`,
    '',
    'Next:',
    `${rescore}   # the judge on the answers that are stored`,
    `  touchstone review create --rubric ${name} --draw verdict --labels ${expected?.labels ?? 200}${place}`,
    `  touchstone calibrate --rubric ${name} --tuned${place}`,
    '',
    ...describeExpected(made),
  ]);
}

/** The least number of labels of each kind that a certificate wants. */
const leastOfKind = 50;

function describeExpected({ expected, mode }: MadeMetric): string[] {
  if (expected === null) return [];
  const { labels, having, free, answers } = expected;
  const line = `Of ${labels} labels, about ${having} will have ${mode.id} and ${free} will not, if the judge is right about 9 of 10 answers; a certificate wants ${leastOfKind} of each.`;
  const isShort = Math.min(having, free) < leastOfKind;
  const remedy = `This run has ${answers} answers: too few with ${mode.id}. Draw from a larger run, or from several.`;
  return isShort ? [line, remedy] : [line];
}

function describeChecks(checks: MadeMetric['checks']): string[] {
  if (checks.length === 0) return ['No check by code finds it better than chance.', ''];
  const rows = checks.map(({ type, use, certify, isEnough }) => {
    const { use: _kind, ...options } = use;
    const words = JSON.stringify(options).slice(0, 80);
    return `  ${type} ${words}: ${describeTable(certify)}${isEnough ? ' · a check, no judge needed' : ''}`;
  });
  return ['Checks by code, chosen on the one half and counted on the other:', ...rows, ''];
}

function describeTable(table: ConfusionCounts): string {
  const { truePositives, falsePositives, falseNegatives, trueNegatives } = table;
  return `found ${truePositives}, missed ${falseNegatives}, false alarms ${falsePositives}, rightly silent ${trueNegatives}`;
}

function asConfig(settings: MadeMetric['settings']): object {
  const config: Record<string, unknown> = {};
  for (const { path, value, isItem } of settings) {
    let home = config;
    for (const key of path.slice(0, -1)) home = (home[key] ??= {}) as Record<string, unknown>;
    home[path.at(-1) ?? ''] = isItem === true ? [value] : value;
  }
  return config;
}

function toText(lines: readonly string[]): string {
  const split = lines.flatMap((line) => line.split('\n'));
  return `${split.map(toTerminalText).join('\n')}\n`;
}

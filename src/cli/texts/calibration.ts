import { type PastCalibration } from '../../library/api/calibrate.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import {
  ceilingSentence,
  formatBothRates,
  formatShareWithin,
  worthSentence,
} from '../../look/report/judged-rates.ts';
import { formatPlural, formatTime } from '../../look/report/format.ts';
import type { Calibration, CalibrationCondition, NamedTable } from '../../core/schema/review/certificate.ts';

/** Describes earlier calibrations, each in a few lines: when and by whom, both rates, and what was missing for a certificate. */
export function describeHistory(calibrations: readonly PastCalibration[], rubric: string): string {
  if (calibrations.length === 0)
    return `No judge has been compared with labels by ${toTerminalText(rubric)} yet.\n`;
  const entries = calibrations.map(({ madeAt, by, validUntil, calibration }) => {
    const { judge, metric, run, rate, answers, conditions } = calibration;
    const unmet = conditions.filter(({ isRequired, state }) => isRequired && state !== 'met');
    const result =
      validUntil === null
        ? 'no certificate'
        : `certificate, valid until ${formatTime(validUntil)} at the latest`;
    return [
      `${formatTime(madeAt)}${by === undefined ? '' : ` by ${by}`}: judge ${judge.name} (${metric.name}), run ${run}: ${result}`,
      `  ${formatBothRates(rate, answers)}`,
      ...describeConditions(unmet),
    ]
      .map(toTerminalText)
      .join('\n');
  });
  return `${entries.join('\n\n')}\n`;
}

/** Describes a judge compared with labels: tables, agreement, both pass rates, and every condition. */
export function describeCalibration(calibration: Calibration): string {
  const { judge, metric, rubric, run, task, table, byCategory, byTarget } = calibration;
  const tables: NamedTable[] = [{ name: 'all', table }];
  for (const parts of [byCategory, byTarget]) if (parts.length > 1) tables.push(...parts);
  const lines = [
    `Judge ${judge.name} (${metric.name}) against the labels of people by ${rubric.id}, run ${run}, task ${task}:`,
    '',
    ...tableOf(tables),
    '',
    ...describeRates(calibration),
    '',
    ...describeRate(calibration),
    ...describeTargets(calibration),
    '',
    ...describeConditions(calibration.conditions),
    '',
    verdictOn(calibration.conditions),
  ];
  return `${lines.map(toTerminalText).join('\n')}\n`;
}

function tableOf(tables: readonly NamedTable[]): string[] {
  const head = ['people / judge', 'pass / pass', 'pass / fail', 'fail / pass', 'fail / fail'];
  const rows = tables.map(({ name, table }) => [
    toTerminalText(name),
    ...[table.truePositives, table.falseNegatives, table.falsePositives, table.trueNegatives].map(String),
  ]);
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map(
    (row) =>
      `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')}`,
  );
}

function describeRates(calibration: Calibration): string[] {
  const { truePositiveRate, trueNegativeRate, agreement } = calibration.rates;
  return [
    `TPR ${formatShareWithin(truePositiveRate)}, TNR ${formatShareWithin(trueNegativeRate)}, the same verdict ${formatShareWithin(agreement)}`,
    ceilingSentence(calibration),
  ];
}

function describeRate({ rate, answers, split, look }: Calibration): string[] {
  const { people, why, ofRun, caution } = rate;
  if (rate.method === null) return [formatBothRates(rate, answers)];
  const run = ofRun === null ? [] : [`of the answers of this run alone: ${formatShareWithin(ofRun)}`];
  return [
    formatBothRates(rate, answers),
    ...run,
    ...(people.value === null || rate.method === 'people-alone'
      ? []
      : [`people alone, with as many labels: ${formatShareWithin(people)}`]),
    ...[worthSentence(rate, answers) ?? []].flat(),
    why,
    split.why,
    ...(look === undefined
      ? []
      : [
          `Look ${look.number} of these labels: ${((1 + look.confidence) * 50).toFixed(2).replace(/0$/, '')} % a side.`,
        ]),
    ...(caution === 'few-disagreements'
      ? [
          'Of the labels for one verdict of the judge almost all are alike, so that the limits are wider than they need be.',
        ]
      : []),
  ];
}

function describeTargets({ ofTargets }: Calibration): string[] {
  return ofTargets.map(({ name, rate, answers }) => `${name}: ${formatBothRates(rate, answers)}`);
}

const stateNames: Readonly<Record<CalibrationCondition['state'], string>> = {
  met: 'met',
  failed: 'NOT MET',
  'not-measured': 'not measured',
};

function describeConditions(conditions: readonly CalibrationCondition[]): string[] {
  return conditions.map(({ state, isRequired, sentence, labelsNeeded }) => {
    const further =
      labelsNeeded === undefined ? '' : ` About ${formatPlural(labelsNeeded, 'further label')} needed.`;
    return `  ${stateNames[state].padEnd(12)}  ${isRequired ? '' : '(advice) '}${sentence}${further}`;
  });
}

function verdictOn(conditions: readonly CalibrationCondition[]): string {
  const unmet = conditions.filter(({ isRequired, state }) => isRequired && state !== 'met').length;
  return unmet === 0
    ? 'All required conditions are met.'
    : `No certificate: ${formatPlural(unmet, 'required condition')} not met.`;
}

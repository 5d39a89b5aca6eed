import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import type { JudgeImprovement } from '../../library/api/judges/improve.ts';
import { formatMoney, formatPlural, formatPoints } from '../../look/report/format.ts';

/** Says how many questions trying edits takes, before any is asked. */
export function describePlan({
  candidates,
  answers,
}: {
  readonly candidates: number;
  readonly answers: number;
}): string {
  return `Asking for up to ${formatPlural(candidates, 'edit')}, and the judge about ${answers} answers with each: at most ${candidates * answers + 2} calls (\`--max-cost\` limits them).`;
}

/** Describes the edits of a judge and the chosen one, before anything is written. */
export function describeImprovement(improvement: JudgeImprovement): string {
  const { candidates, chosen, flips, change, settings, answers, disagreements, metric } = improvement;
  const rows = candidates.map(({ accuracy, table, examples, text, refused }, index) => {
    const mark = index === chosen ? '→' : ' ';
    const name = index === 0 ? 'as it is' : `edit ${index}`;
    const { falsePositives, falseNegatives } = table;
    const numbers =
      accuracy === null
        ? (refused ?? 'not measured')
        : `${formatPoints(accuracy.value)} % ± ${formatPoints(accuracy.standardError)}, passes ${falsePositives} wrongly, fails ${falseNegatives} wrongly`;
    const shown = examples === 0 ? '' : ` · ${formatPlural(examples, 'example')}`;
    return `${mark} ${name}: ${numbers}${shown} · ${text.replaceAll(/\s+/g, ' ').slice(0, 100)}`;
  });
  const changed = flips.map(
    ({ caseId, passes, isRight }) =>
      `  ${caseId}: now ${passes ? 'passes' : 'fails'}, ${isRight ? 'as people say' : 'people say otherwise'}`,
  );
  return toText([
    `${metric}: the judge and people differ on ${disagreements} of ${formatPlural(answers, 'labelled answer')} of the half for tuning.`,
    'Balanced accuracy (mean of both rates of being right) ± standard error; the simplest within one of the best is chosen:',
    '',
    ...rows,
    ...(changed.length === 0 ? [] : ['', 'Answers that it judges otherwise:', ...changed]),
    '',
    ...(change === null ? settings.map(({ value }) => JSON.stringify(value)) : [change.diff]),
  ]);
}

/**
 * Says what was written, and how to certify it.
 * @param place - The options of the commands that follow, as `placeFlags` writes them.
 */
export function describeImproved(improvement: JudgeImprovement, place = ''): string {
  const { isWritten, chosen, disagreements, rubric, spending, settings } = improvement;
  const { calls, cost } = spending;
  const spent =
    calls === 0 ? [] : [`${formatPlural(calls, 'call')}${cost === null ? '' : `, ${formatMoney(cost)}`}.`];
  if (disagreements === 0)
    return toText(['Nothing to learn: the judge agrees with people on all answers of the half for tuning.']);
  if (chosen === 0)
    return toText(['No edit is better than the judge as it is, by more than chance.', ...spent]);
  if (!isWritten && settings.length > 0)
    return toText(['Nothing was written: the config is a program. Write the words above into it.', ...spent]);
  return toText([
    ...spent,
    'Next:',
    `  touchstone rescore latest${place}`,
    `  touchstone calibrate --rubric ${rubric} --tuned${place}   # one look at the other half of the labels`,
  ]);
}

function toText(lines: readonly string[]): string {
  const split = lines.flatMap((line) => line.split('\n'));
  return `${split.map(toTerminalText).join('\n')}\n`;
}

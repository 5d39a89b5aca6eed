import type { Disagreement } from '../../schema/disagreement.ts';
import type { Result } from '../../schema/result.ts';
import {
  contradictionPhrase,
  countText,
  readContradictions,
  seenDisagreements,
  targetPhrases,
} from '../../report/disagreements.ts';
import { formatCount, formatPercent, formatPlural } from '../../report/format/format-number.ts';
import { questionRow } from '../../report/rows/question-row.ts';
import type { ReportInput } from '../reporter.ts';
import { showCommand } from '../../report/show-command.ts';
import { codeSpan, setPhrase } from './code-span.ts';
import { questionItem } from './questions.ts';

const mostKinds = 5;
const mostNamed = 3;
const widestText = 400;

/** On what metrics contradict each other, kind by kind; empty when they do not. */
export function disagreementText(input: ReportInput): string {
  const seen = seenDisagreements(input.summary);
  if (seen.length === 0) return '';
  const items = seen.slice(0, mostKinds).map((disagreement) => {
    const named = disagreement.widest
      .slice(0, mostNamed)
      .map((one) => contradictionPhrase(one, disagreement));
    return `- ${kindText(disagreement)}${named.map((phrase) => `  - ${setPhrase(phrase)}\n`).join('')}`;
  });
  const others = seen.length - mostKinds;
  const more = others > 0 ? `\n… and ${formatPlural(others, 'more kind')}.\n` : '';
  const command = codeSpan(showCommand(input, '--disagreements'), 160);
  return `**Where metrics contradict each other**\n\n${items.join('')}${more}\nSide by side: ${command}\n`;
}

/** The questions of each kind of disagreement, each with the two verdicts. */
export async function* disagreementListing(
  input: ReportInput,
  disagreements: readonly Disagreement[],
): AsyncGenerator<string> {
  for (const disagreement of disagreements) {
    yield `${kindText(disagreement)}\n`;
    for await (const [{ target, high, low }, result] of readContradictions(input, disagreement)) {
      yield questionItem(questionRow(input.run, result));
      if (disagreement.targets.length > 1) yield `  - ${codeSpan(target)}\n`;
      for (const { metric, value } of [high, low]) yield verdictItem(metric, value, result);
    }
    const others = disagreement.count - disagreement.widest.length;
    yield others > 0 ? `\n… and ${formatCount(others)} more that are less far apart.\n\n` : '\n';
  }
}

function kindText(disagreement: Disagreement): string {
  const { kind, title, reading } = disagreement;
  const targets = targetPhrases(disagreement).map(setPhrase);
  const byTarget = targets.length === 0 ? '' : ` (${targets.join(', ')})`;
  return `**${kind}** ${countText(disagreement)} answers${byTarget}: ${title}. ${reading}\n`;
}

function verdictItem(metric: string, value: number, { verdicts }: Result): string {
  const verdict = verdicts[metric];
  const explanation = verdict?.status === 'scored' ? (verdict.explanation ?? '').trim() : '';
  const said = explanation === '' ? '' : `: ${codeSpan(explanation, widestText)}`;
  return `  - ${codeSpan(metric)} **${formatPercent(value)}**${said}\n`;
}

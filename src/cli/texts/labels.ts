import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import type { RubricVersion } from '../../decide/certificates/rubric.ts';
import type { ImportLabelsReport } from '../../library/api/labels.ts';
import { formatPlural } from '../../look/report/format.ts';

/**
 * Says how many labels were added.
 * @param isBlindUnknown - True when it is not known whether people saw verdicts.
 */
export function describeImport({ added, known }: ImportLabelsReport, isBlindUnknown: boolean): string {
  const others = known === 0 ? '' : `; ${known} were there already`;
  const notBlind =
    isBlindUnknown && added > 0
      ? ' They count for no certificate, since it is not known what people saw there: `--blind` states that they saw no verdicts.'
      : '';
  return `Added ${formatPlural(added, 'label')}${others}.${notBlind}\n`;
}

/** Lists the versions of a rubric with their labels. */
export function describeVersions(versions: readonly RubricVersion[]): string {
  return `${versions.map(describeVersion).join('\n')}\n`;
}

function describeVersion({ rubric, labels, sameAs }: RubricVersion): string {
  const same = sameAs.length === 0 ? '' : `, the same as ${sameAs.map(shortVersion).join(', ')}`;
  const words = toTerminalText(rubric.question.replaceAll(/\s+/g, ' '));
  return `${shortVersion(rubric.version)}  ${formatPlural(labels, 'label')}${same}\n    ${words}`;
}

function shortVersion(version: string): string {
  return version.slice(0, 12);
}

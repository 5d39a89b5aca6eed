import path from 'node:path';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { quoteForShell } from '../../core/lib/text/quote-for-shell.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import type { ExportRecord } from '../../core/schema/api/imported-project.ts';
import type { Exporter } from '../../exchange/exporters/exporter.ts';
import { formatPlural } from '../../look/report/format.ts';
import type { Store } from '../../stores/store.ts';
import { labelKind } from '../../stores/kinds/label.ts';

/** Says which files were written, and how to look at them. */
export function describeFiles(
  { files }: Pick<ExportRecord, 'files'>,
  { exporter, isDryRun }: { readonly exporter?: Exporter; readonly isDryRun: boolean },
): string {
  const names = files.map((file) => toTerminalText(displayPath(path.resolve(file)))).join(', ');
  if (isDryRun) return `Nothing was written. Without --dry-run: ${names}`;
  const [first = ''] = files;
  const place = files.length === 1 ? first : path.dirname(first);
  const next = exporter?.opensWith?.(quoteForShell(toTerminalText(displayPath(path.resolve(place)))));
  return `Wrote ${names}${next === undefined ? '' : `\n\nLook at it: ${next}`}`;
}

/** Says how many labels of people are not a part of the file; undefined when there are none. */
export async function describeLabelsLeft(
  runId: string,
  { documents }: Pick<Store, 'documents'>,
  isSalvage: boolean,
): Promise<string | undefined> {
  const command = `touchstone labels export FILE${isSalvage ? ' --salvage' : ''}`;
  try {
    const labels = await documents.count(labelKind, { where: { run_id: runId } });
    const noun = formatPlural(labels, 'label');
    return labels === 0 ? undefined : `${noun} of its answers by people are not in the file: ${command}`;
  } catch (error) {
    if (!isSalvage) throw error;
    return `The labels of its answers by people cannot be counted: ${command}`;
  }
}

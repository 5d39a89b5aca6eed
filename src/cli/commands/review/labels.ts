import { checkOutputFiles } from '../../../library/api/output-files.ts';
import {
  exportLabels,
  importLabels,
  type LabelsFormat,
  readRubricVersions,
  stateSameMeaning,
} from '../../../library/api/labels.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { escapeJson, jsonDocument } from '../../../core/lib/objects.ts';
import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import { formatPlural } from '../../../look/report/format.ts';
import type { RubricVersion } from '../../../decide/certificates/rubric.ts';
import { readGitPerson } from '../../git-person.ts';
import { openStore, openWritableStore } from '../../open-store.ts';
import { claimStdout } from '../../output.ts';
import { writeFile } from '../../../library/api/write-file.ts';
import { damagedCode } from '../check.ts';

/** The options of `touchstone labels export` and `import`, as parsed from the command line. */
export interface LabelsFlags {
  readonly format: LabelsFormat;
  readonly task?: string;
  readonly salvage?: boolean;
  readonly blind?: boolean;
  /** The person who states that labels of another tool are blind. */
  readonly by?: string;
  readonly json?: boolean;
  readonly store?: string;
}

/** Runs `touchstone labels export FILE`: writes rubrics, review tasks and labels. Returns the exit code. */
export async function exportCommand(file: string, flags: LabelsFlags): Promise<number> {
  const output = claimStdout();
  const { format, task, salvage } = flags;
  const store = await openStore(flags.store);
  const lost: string[] = [];
  const onLost = salvage === true ? (what: string) => lost.push(what) : undefined;
  try {
    const lines = exportLabels({ store, format, task, onLost });
    if (file === '-') await output.writeAll(escaped(lines));
    else {
      await checkOutputFiles([file], { store });
      await writeFile(file, lines);
      console.error(toTerminalText(`Wrote the labels to ${file}.`));
    }
    if (lost.length === 0) return 0;
    const names = lost.map((what) => `  ${toTerminalText(what)}`);
    console.error(`Damaged or missing, and not in the file:\n${names.join('\n')}`);
    return damagedCode;
  } finally {
    await store.close();
  }
}

async function* escaped(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield escapeJson(line);
}

/** Runs `touchstone labels import FILE`: adds the labels of a file to the store. Returns the exit code. */
export async function importCommand(file: string, flags: LabelsFlags): Promise<number> {
  const output = claimStdout();
  const { format, task } = flags;
  const store = await openWritableStore(flags.store);
  try {
    const isForeign = format !== 'jsonl';
    const blindSaidBy = flags.blind === true && isForeign ? await personOf(flags) : undefined;
    const report = await importLabels(file, { store, format, task, blindSaidBy });
    const known = report.known === 0 ? '' : `; ${report.known} were there already`;
    const notBlind =
      isForeign && blindSaidBy === undefined && report.added > 0
        ? ' They count for no certificate, since it is not known what people saw there: `--blind` states that they saw no verdicts.'
        : '';
    const said = `Added ${formatPlural(report.added, 'label')}${known}.${notBlind}\n`;
    await output.write(flags.json === true ? jsonDocument(report) : said);
    return 0;
  } finally {
    await store.close();
  }
}

async function personOf({ by }: Pick<LabelsFlags, 'by'>): Promise<string> {
  const person = by ?? (await readGitPerson(process.cwd()));
  if (person !== undefined) return person;
  throw new TouchstoneError('usage-invalid', 'No person is named who states that the labels are blind.', {
    remedy: 'Name a person with `--by`, or set `user.name` of git.',
  });
}

/** The options of `touchstone labels same-meaning`, as parsed from the command line. */
export interface SameMeaningFlags extends Pick<LabelsFlags, 'json' | 'store'> {
  /** The person who states it. */
  readonly by?: string;
  readonly note?: string;
}

/**
 * Runs `touchstone labels same-meaning RUBRIC [VERSION VERSION]`: stores that two versions mean the same, or lists the versions.
 * Returns the exit code.
 */
export async function sameMeaningCommand(
  rubric: string,
  versions: readonly string[],
  { by, note, json, store: folder }: SameMeaningFlags,
): Promise<number> {
  const output = claimStdout();
  const store = await openStore(folder);
  try {
    const [one, other, ...rest] = versions;
    if (one !== undefined) {
      if (other === undefined || rest.length > 0)
        throw new TouchstoneError(
          'usage-invalid',
          'Two versions mean the same, or none is named to list them.',
        );
      const person = by ?? (await readGitPerson(process.cwd()));
      if (person === undefined)
        throw new TouchstoneError('usage-invalid', 'A person states it: name one with `--by NAME`.');
      const isNew = await stateSameMeaning({ rubric, versions: [one, other], person, note }, { store });
      console.error(isNew ? 'Labels of one count for the other from now on.' : 'This was stated before.');
    }
    const found = await readRubricVersions(rubric, { store });
    await output.write(json === true ? jsonDocument(found) : `${found.map(describeVersion).join('\n')}\n`);
    return 0;
  } finally {
    await store.close();
  }
}

function describeVersion({ rubric, labels, sameAs }: RubricVersion): string {
  const same = sameAs.length === 0 ? '' : `, the same as ${sameAs.map(shortVersion).join(', ')}`;
  const words = toTerminalText(rubric.question.replaceAll(/\s+/g, ' '));
  return `${shortVersion(rubric.version)}  ${formatPlural(labels, 'label')}${same}\n    ${words}`;
}

function shortVersion(version: string): string {
  return version.slice(0, 12);
}

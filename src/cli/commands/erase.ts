import { text as readText } from 'node:stream/consumers';
import { isWithoutPeople, mainProject } from '../../privacy/accounts/accounts.ts';
import { recordEvent } from '../../privacy/accounts/audit.ts';
import { openPlacedStore, openStoreOfProject } from '../../library/config/open-store-of.ts';
import { type ErasedKind, type ErasedTexts, planErasure } from '../../privacy/erasure/erase-texts.ts';
import { jsonDocument } from '../../core/lib/objects.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { formatPlural } from '../../look/report/format.ts';
import { confirm } from '../confirm.ts';
import { readGitPerson } from '../git-person.ts';
import { findWritableStore } from '../open-store.ts';
import { claimStdout } from '../output.ts';

/** The options of `touchstone erase`, as parsed from the command line. */
export interface EraseFlags {
  readonly text?: readonly string[];
  readonly user?: readonly string[];
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly store?: string;
  readonly project?: string;
}

/** Runs `touchstone erase`: shows what it would erase, asks, and erases it. Returns the exit code. */
export async function eraseCommand(flags: EraseFlags): Promise<number> {
  const output = claimStdout();
  const place = await findWritableStore(flags.store);
  const home = openPlacedStore(place);
  const project = flags.project ?? mainProject;
  const store = project === mainProject ? home : await openStoreOfProject(place, project);
  try {
    const texts = await readTexts(flags.text ?? []);
    const { erase, ...planned } = await planErasure(store, { texts, users: flags.user ?? [] });
    if (flags.dryRun === true) {
      await output.write(flags.json === true ? jsonDocument(planned) : describe(planned, 'Would erase'));
      return 0;
    }
    if (flags.yes !== true) {
      console.error(describe(planned, 'Found').trimEnd());
      await confirm({
        question: 'Erase these texts permanently?',
        unasked: 'Erasing cannot be undone.',
        remedy: 'Look first with `--dry-run`, and confirm with `--yes`.',
        refused: 'Nothing was erased.',
      });
    }
    const erased = await erase();
    if (!(await isWithoutPeople(home.accounts))) {
      const person = await readGitPerson(process.cwd());
      await recordEvent(home.accounts, {
        who: person === undefined ? 'command line' : `command line, ${person}`,
        address: null,
        action: 'erase',
        project,
        object: `${texts.length} texts, ${flags.user?.length ?? 0} users`,
        details: Object.fromEntries(
          Object.entries(erased.counts).map(([kind, count]) => [kind, String(count)]),
        ),
      });
    }
    await output.write(flags.json === true ? jsonDocument(erased) : describe(erased, 'Erased'));
    return 0;
  } finally {
    await store.close();
    if (store !== home) await home.close();
  }
}

/** Returns the texts to look for. `-` stands for the lines of standard input, which no list of processes shows. */
async function readTexts(written: readonly string[]): Promise<string[]> {
  const lines = written.includes('-') ? (await readText(process.stdin)).split(/\r?\n/) : [];
  return [...written.filter((text) => text !== '-'), ...lines.filter((line) => line !== '')];
}

const nouns: Readonly<Record<ErasedKind, string>> = {
  case: 'case',
  trial: 'answer',
  scores: 'set of scores',
  judgement: 'judgement',
  equivalence: 'statement about rubrics',
  'review-item': 'item to review',
  label: 'label',
  certificate: 'certificate',
  'refused-calibration': 'refused calibration',
  feedback: 'feedback',
  'feedback-match': 'match of feedback',
  proposal: 'proposal',
  decision: 'decision on a proposal',
  'proposal-export': 'written proposal',
  trace: 'trace',
  run: 'settings of a run',
  baseline: 'baseline',
  rubric: 'rubric',
  'review-task': 'review task',
  'shared-record': 'record of processes at work',
};

function describe({ day, counts, runs, lines, left }: ErasedTexts, verb: string): string {
  const kinds = Object.entries(counts).map(([kind, count]) => `  ${count}  ${nouns[kind as ErasedKind]}\n`);
  return [
    kinds.length === 0
      ? 'No record contains it.\n'
      : `${verb} the texts of these records; their numbers stay:\n`,
    ...kinds,
    ...(runs.length === 0
      ? []
      : [`Runs that show \`[erased ${day}]\` in their place: ${runs.map(toTerminalText).join(', ')}\n`]),
    ...(left === 0
      ? []
      : [`The ids of ${formatPlural(left, 'record')} contain it and stay: rows are found by them.\n`]),
    ...(lines.length === 0
      ? []
      : ['These lines of golden sets have cases made from them; change them by hand:\n']),
    ...lines.map(({ file, line, caseId }) =>
      line === null
        ? `  ${toTerminalText(file)}: the case ${toTerminalText(caseId)} is no longer there; older versions may still contain it\n`
        : `  ${toTerminalText(file)}:${line} (${toTerminalText(caseId)})\n`,
    ),
  ].join('');
}

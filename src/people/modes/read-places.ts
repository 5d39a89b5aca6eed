import type { Label } from '../../core/schema/review/label.ts';
import type { Mark } from '../../core/schema/modes/mark.ts';
import type { Mode } from '../../core/schema/modes/mode.ts';
import type { ModeExample } from '../../core/schema/modes/mode-table.ts';
import { toolCallsOf } from '../../core/schema/trial.ts';
import { labelKind } from '../../stores/kinds/label.ts';
import { markKind } from '../../stores/kinds/mode.ts';
import type { Store } from '../../stores/store.ts';
import type { PlacedAnswer } from './concentrations.ts';
import type { MarksOfMode } from './read-marks.ts';
import type { ReadItem, ReadNotes } from './read-notes.ts';

/** The most answers whose tools are read. */
const mostWithTools = 1000;

/** Reads the categories, the targets and the tools of answers; the tools of at most a thousand, and while their run is stored. */
export async function readPlaces(
  store: Store,
  { run, items }: Pick<ReadNotes, 'run' | 'items'>,
  modes: readonly Mode[],
): Promise<PlacedAnswer[]> {
  if (modes.length === 0) return [];
  const placed = new Map<string, { readonly category: string | null; readonly target: string }>();
  // The marks of one mode place most answers.
  for (const { id } of modes) {
    if (placed.size >= items.length) break;
    const columns = ['case_hash', 'answer_hash', 'category', 'target'] as const;
    for (const head of await store.documents.heads(markKind, columns, { where: { mode: id } }))
      placed.set(`${head.case_hash} ${head.answer_hash}`, head);
  }
  const tools = await readTools(store, run, items);
  return items.flatMap(({ answer, ordinal }) => {
    const head = placed.get(answer);
    if (head === undefined) return [];
    const category = head.category === null ? [] : [head.category];
    const tool = (ordinal === null ? undefined : tools.get(ordinal)) ?? [];
    return [{ answer, levels: { category, target: [head.target], tool } }];
  });
}

async function readTools(
  store: Store,
  run: string,
  items: readonly ReadItem[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const ordinals = items.flatMap(({ ordinal }) => ordinal ?? []).toSorted((one, other) => one - other);
  const tools = new Map<number, readonly string[]>();
  if (ordinals.length > mostWithTools || (await store.readRun(run)) === undefined) return tools;
  for await (const { trial } of store.readResults(run, ordinals))
    tools.set(trial.ordinal, [...new Set(toolCallsOf(trial.transcript).map(({ name }) => name))]);
  return tools;
}

/** The modes of which answers are shown, with their marks, and the most of each. */
interface Shown {
  readonly modes: readonly Mode[];
  readonly of: (mode: Mode) => MarksOfMode;
  readonly most: number;
}

/** Reads some of the answers that have each mode, with notes and marked words: first the ones in which it went wrong first. */
export async function readExamples(
  { documents }: Store,
  { items }: ReadNotes,
  { modes, of, most }: Shown,
): Promise<Map<string, ModeExample[]>> {
  const examples = new Map<string, ModeExample[]>();
  for (const mode of modes) {
    const marks = of(mode);
    const chosen = items
      .filter(({ answer }) => marks.get(answer)?.value === 'yes')
      .toSorted((one, other) => rank(marks, other) - rank(marks, one))
      .slice(0, most);
    const found: ModeExample[] = [];
    for (const item of chosen) {
      const [note] = item.notes.values();
      const label = note === undefined ? undefined : await documents.get(labelKind, [note]);
      if (label === undefined) continue;
      const where = { answer_hash: label.subject.answerHash, mode: mode.id };
      const own = await Array.fromAsync(documents.list(markKind, { where }));
      found.push(exampleOf(label, own, marks.get(item.answer)?.isFirst === true));
    }
    examples.set(mode.id, found);
  }
  return examples;
}

function rank(marks: MarksOfMode, { answer }: ReadItem): number {
  return Number(marks.get(answer)?.isFirst === true);
}

function exampleOf(
  { id, subject, note, spans }: Label,
  marks: readonly Mark[],
  isFirst: boolean,
): ModeExample {
  const replaced = new Set(marks.map(({ replaces }) => replaces));
  const quoted =
    marks.findLast((mark) => mark.spans !== undefined && !replaced.has(mark.id))?.spans ?? spans ?? [];
  return {
    case: subject.caseId,
    target: subject.target,
    attempt: subject.attempt,
    run: subject.run ?? null,
    ordinal: subject.ordinal ?? null,
    note: id,
    text: note?.split('\n')[0] ?? null,
    quotes: quoted.map(({ text }) => text),
    isFirst,
  };
}

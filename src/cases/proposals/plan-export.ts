import { TouchstoneError } from '../../core/errors.ts';
import { isNumber } from '../../core/lib/json/exact-number.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import type { Case } from '../../core/schema/case.ts';
import { type ApprovedProposal, assembleCase } from './decide.ts';
import { type LineNames, toLine } from './case-line.ts';
import { type LineEdit, linesOf, unifiedDiff } from './unified-diff.ts';

/** The file of a dataset: one case a line. */
export interface DatasetText {
  /** The name of the file in messages. */
  readonly file: string;
  /** The path from the root of the repository, for the patch; the name by default. */
  readonly path?: string;
  /** The content; null when there is no such file yet. */
  readonly text: string | null;
  /** The names that its lines use for the fields of cases. */
  readonly names: LineNames;
}

/** A case of an approved proposal in a dataset. */
export interface PlacedCase {
  readonly approved: ApprovedProposal;
  readonly case: Case;
  /** `known`: its line was there already, and is not touched. */
  readonly fate: 'added' | 'replaced' | 'known';
  /** The number of its line in the file, from 1. */
  readonly line: number;
}

/** An approved proposal whose case cannot be written. */
export interface RefusedExport {
  readonly approved: ApprovedProposal;
  /** The reason, as a phrase. */
  readonly reason: string;
}

/** The lines that approved proposals add to the file of a dataset. */
export interface ExportPlan {
  readonly file: string;
  /** The whole file with the changes. */
  readonly text: string;
  /** The changes as a patch that `git apply` accepts; empty when there are none. */
  readonly patch: string;
  readonly placed: readonly PlacedCase[];
  readonly refused: readonly RefusedExport[];
}

/** A line of a dataset, as far as it matters here. */
interface KnownLine {
  readonly index: number;
  readonly id: string | undefined;
  /** The proposal that it was made from. */
  readonly proposal: string | undefined;
}

/**
 * Plans how approved cases enter a file of JSON Lines. A new case becomes a line at the end, a changed one replaces the line of
 * its id; a case whose proposal is named by a line is not written again, so that the same export twice changes nothing. Throws
 * `dataset-invalid` for a line that is no JSON object.
 */
export function planExport(dataset: DatasetText, approved: readonly ApprovedProposal[]): ExportPlan {
  const { file, path = file, text, names } = dataset;
  const lines = linesOf(text ?? '');
  const known = readLines(dataset, lines);
  const places = indexLines(known);
  const lineBreak = lines[0]?.endsWith('\r') === true ? '\r' : '';
  const placed: PlacedCase[] = [];
  const refused: RefusedExport[] = [];
  const replaced = new Map<number, string>();
  const added: string[] = [];
  for (const each of approved) {
    const found = placeOf(each, places);
    if (typeof found === 'string') {
      refused.push({ approved: each, reason: found });
      continue;
    }
    const testCase = assembleCase(each);
    const line = `${toLine(testCase, names)}${lineBreak}`;
    const { fate, index = lines.length + added.length } = found;
    if (fate === 'added') added.push(line);
    else if (fate === 'replaced') replaced.set(index, line);
    placed.push({ approved: each, case: testCase, fate, line: index + 1 });
    if (fate !== 'known') remember(places, { index, id: testCase.id, proposal: each.proposal.id });
  }
  const edits = editsOf(replaced, added, lines.length);
  const after = lines.map((line, index) => replaced.get(index) ?? line).concat(added);
  return {
    file,
    text: edits.length === 0 ? (text ?? '') : `${after.join('\n')}${staysOpen(text, edits) ? '' : '\n'}`,
    patch: unifiedDiff(path, text, edits),
    placed,
    refused,
  };
}

function readLines({ file }: DatasetText, lines: readonly string[]): KnownLine[] {
  return lines.flatMap((line, index) => {
    const text = line.replace(/^\uFEFF/, '').trim();
    if (text === '') return [];
    const value = parseLine(text, `${file}:${index + 1}`);
    const { id, metadata } = value as { readonly id?: unknown; readonly metadata?: unknown };
    const { origin } = (metadata ?? {}) as { readonly origin?: unknown };
    const { proposal } = (origin ?? {}) as { readonly proposal?: unknown };
    return [{ index, id: asText(id), proposal: asText(proposal) }];
  });
}

function parseLine(text: string, place: string): object {
  try {
    const value: unknown = parseJson(text);
    if (isContainer(value) && !Array.isArray(value)) return value;
  } catch {
    // Refused below, like any other line that is no object.
  }
  throw new TouchstoneError('dataset-invalid', `${place}: this line is no JSON object`, {
    remedy:
      'Write approved questions to a file of JSON Lines (.jsonl), one question a line, or to a new file.',
  });
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' || isNumber(value) ? String(value) : undefined;
}

/** The lines of a dataset by their ids and by the proposals that they were made from. */
interface Places {
  readonly byId: Map<string, KnownLine>;
  readonly byProposal: Map<string, KnownLine>;
}

function indexLines(known: readonly KnownLine[]): Places {
  const places: Places = { byId: new Map(), byProposal: new Map() };
  for (const line of known) remember(places, line);
  return places;
}

function remember({ byId, byProposal }: Places, line: KnownLine): void {
  if (line.id !== undefined) byId.set(line.id, line);
  if (line.proposal !== undefined) byProposal.set(line.proposal, line);
}

/** Returns what happens to a case and the index of its line, or the reason why it cannot be written. */
function placeOf(
  { proposal, decision }: ApprovedProposal,
  { byId, byProposal }: Places,
): { readonly fate: PlacedCase['fate']; readonly index?: number } | string {
  const own = byProposal.get(proposal.id);
  if (own !== undefined) return { fate: 'known', index: own.index };
  const { replaces } = proposal;
  if (replaces !== undefined) {
    const line = byId.get(replaces);
    return line === undefined
      ? `there is no question "${replaces}", which it changes`
      : { fate: 'replaced', index: line.index };
  }
  const { id = proposal.id } = decision.outcome.case;
  const taken = byId.get(id);
  return taken === undefined ? { fate: 'added' } : `line ${taken.index + 1} has the id "${id}" already`;
}

function editsOf(
  replaced: ReadonlyMap<number, string>,
  added: readonly string[],
  length: number,
): LineEdit[] {
  const edits = [...replaced]
    .sort(([one], [other]) => one - other)
    .map(([at, line]): LineEdit => ({ at, removed: 1, added: [line] }));
  if (added.length === 0) return edits;
  const last = edits.at(-1);
  // One change of the end of the file, since it may lack its line break.
  return last?.at === length - 1
    ? [...edits.slice(0, -1), { ...last, added: [...last.added, ...added] }]
    : [...edits, { at: length, removed: 0, added }];
}

/** Returns whether the last line lacks its line break after the changes too. */
function staysOpen(text: string | null, edits: readonly LineEdit[]): boolean {
  if (text === null || text === '' || text.endsWith('\n')) return false;
  const last = edits.at(-1) as LineEdit;
  return last.at + last.removed < linesOf(text).length;
}

/** A change of the lines of a text. */
export interface LineEdit {
  /** The number of lines before the change. */
  readonly at: number;
  /** The number of lines that are removed. */
  readonly removed: number;
  readonly added: readonly string[];
}

/** The lines around a change by which a patch finds its place. */
const contextLines = 3;

const noNewline = '\\ No newline at end of file';

/**
 * Returns a patch that `git apply` accepts: the changes of one file as a unified diff. Empty without changes.
 * @param file - The path from the root of the repository, with slashes.
 * @param before - The text of the file; null when there is none yet.
 * @param edits - In ascending order, not overlapping. The changed file ends with a line break.
 */
export function unifiedDiff(file: string, before: string | null, edits: readonly LineEdit[]): string {
  if (edits.length === 0) return '';
  const isOpenEnded = before !== null && before !== '' && !before.endsWith('\n');
  const lines = linesOf(before ?? '');
  const [from, to] = [quotePath(`a/${file}`), quotePath(`b/${file}`)];
  const head = [
    `diff --git ${from} ${to}`,
    ...(before === null ? ['new file mode 100644', '--- /dev/null'] : [`--- ${from}`]),
    `+++ ${to}`,
  ];
  const groups = groupEdits(isOpenEnded ? closeEnd(lines, edits) : edits);
  let shift = 0;
  const hunks = groups.flatMap((group) => {
    const { text, grown } = hunkOf(group, { lines, isOpenEnded, shift });
    shift += grown;
    return text;
  });
  return `${[...head, ...hunks].join('\n')}\n`;
}

/** Returns the lines of a text, without their breaks; a carriage return belongs to its line. */
export function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Adds the change that gives the last line its line break, where something is added after it. */
function closeEnd(lines: readonly string[], edits: readonly LineEdit[]): LineEdit[] {
  const last = edits.at(-1) as LineEdit;
  if (last.at + last.removed < lines.length || last.removed > 0) return [...edits];
  const end = lines.at(-1) as string;
  return [...edits.slice(0, -1), { at: last.at - 1, removed: 1, added: [end, ...last.added] }];
}

/** Puts changes whose surroundings touch into one group. */
function groupEdits(edits: readonly LineEdit[]): LineEdit[][] {
  const groups: LineEdit[][] = [];
  for (const edit of edits) {
    const last = groups.at(-1)?.at(-1);
    const isNear = last !== undefined && edit.at - (last.at + last.removed) <= 2 * contextLines;
    if (isNear) groups.at(-1)?.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

interface Surroundings {
  readonly lines: readonly string[];
  readonly isOpenEnded: boolean;
  /** The number of lines by which the text before has grown. */
  readonly shift: number;
}

function hunkOf(
  group: readonly LineEdit[],
  { lines, isOpenEnded, shift }: Surroundings,
): { readonly text: string[]; readonly grown: number } {
  const [first, last] = [group[0] as LineEdit, group.at(-1) as LineEdit];
  const start = Math.max(0, first.at - contextLines);
  const end = Math.min(lines.length, last.at + last.removed + contextLines);
  const old = (mark: string, index: number) => [
    `${mark}${lines[index]}`,
    ...(isOpenEnded && index === lines.length - 1 ? [noNewline] : []),
  ];
  const body: string[] = [];
  let at = start;
  for (const { at: place, removed, added } of group) {
    for (; at < place; at += 1) body.push(...old(' ', at));
    for (; at < place + removed; at += 1) body.push(...old('-', at));
    body.push(...added.map((line) => `+${line}`));
  }
  for (; at < end; at += 1) body.push(...old(' ', at));
  const grown = group.reduce((sum, { removed, added }) => sum + added.length - removed, 0);
  const [oldCount, newCount] = [end - start, end - start + grown];
  const range = (from: number, count: number) => `${count === 0 ? from : from + 1},${count}`;
  const head = `@@ -${range(start, oldCount)} +${range(start + shift, newCount)} @@`;
  return { text: [head, ...body], grown };
}

/** Quotes a path as git does where it contains quotation marks, backslashes or control characters. */
function quotePath(path: string): string {
  if (!/["\\\p{Cc}]/u.test(path)) return path;
  const escaped = path.replaceAll(/["\\]|\p{Cc}/gu, (found) =>
    found === '"' || found === '\\'
      ? `\\${found}`
      : Array.from(Buffer.from(found), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
  );
  return `"${escaped}"`;
}

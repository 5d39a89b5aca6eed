/** An edit that cannot be made: the text is not what it should be. */
export interface EditProblem {
  /** The fault, with its line, as the end of a sentence: `line 4 is not JSON`. */
  readonly problem: string;
}

/** A member of an object in a text: the offsets of its key, and of the beginning and the end of its value. */
interface Member {
  readonly key: string;
  readonly from: number;
  readonly value: number;
  readonly to: number;
}

/** An object in a text: the offsets of its braces, and its members. */
interface ObjectInText {
  readonly open: number;
  readonly close: number;
  readonly members: readonly Member[];
}

/** A member that is put into an object inside an object: `{ "mcpServers": { "touchstone": … } }`. */
export interface Entry {
  readonly group: string;
  readonly name: string;
  readonly value: unknown;
}

/**
 * Puts an entry into JSON with comments, and leaves every other byte as it is. Returns undefined where the entry is there
 * already, with whatever value.
 */
export function putEntry(text: string, { group, name, value }: Entry): string | undefined | EditProblem {
  const root = readRoot(text);
  if ('problem' in root) return root;
  const found = memberOf(root, group);
  const style = styleOf(text, root);
  if (found === undefined)
    return insert(text, root, { ...style, depth: 1, key: group, value: { [name]: value } });
  const inner = objectAt(text, found);
  if (inner === undefined) return { problem: `line ${lineAt(text, found.from)}: \`${group}\` is no object` };
  if (memberOf(inner, name) !== undefined) return undefined;
  return insert(text, inner, { ...style, depth: 2, key: name, value });
}

/**
 * Takes an entry out again, and its group with it when nothing else is in it. Returns undefined where there is no such entry with
 * one of some values, and an empty text when nothing is left.
 */
export function takeEntry(
  text: string,
  { group, name, values }: Omit<Entry, 'value'> & { readonly values: readonly unknown[] },
): string | undefined | EditProblem {
  const root = readRoot(text);
  if ('problem' in root) return root;
  const found = memberOf(root, group);
  const inner = found && objectAt(text, found);
  const own = inner && memberOf(inner, name);
  if (found === undefined || inner === undefined || own === undefined) return undefined;
  const written = JSON.stringify(JSON.parse(plainJson(text).slice(own.value, own.to)));
  if (!values.some((value) => JSON.stringify(value) === written)) return undefined;
  if (inner.members.length > 1) return remove(text, inner, own);
  const isCommented =
    text.slice(inner.open + 1, own.from).trim() + text.slice(own.to, inner.close).trim() !== '';
  if (isCommented) return remove(text, inner, own);
  const rest = remove(text, root, found);
  return /^\s*\{\s*\}\s*$/.test(rest.replace(/^\uFEFF/, '')) ? '' : rest;
}

/** Reads the object that a text of JSON with comments is; a text without anything is an empty one. */
function readRoot(text: string): ObjectInText | EditProblem {
  const plain = plainJson(text);
  try {
    const value: unknown = JSON.parse(plain);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return readObject(plain, plain.indexOf('{'));
    return { problem: `line ${lineAt(text, text.length - text.trimStart().length)} is no object` };
  } catch (error) {
    const line = /\(line (\d+)/.exec((error as Error).message)?.[1] ?? lineAt(text, text.trimEnd().length);
    return { problem: `line ${line} is not JSON` };
  }
}

function objectAt(text: string, { value }: Member): ObjectInText | undefined {
  return text[value] === '{' ? readObject(plainJson(text), value) : undefined;
}

/** Returns the member that a reader of JSON takes: the last of its name. */
function memberOf({ members }: ObjectInText, name: string): Member | undefined {
  return members.findLast(({ key }) => key === name);
}

/** A text, to the end of the line where it does not end: the time of a search then grows with the text. */
const stringPattern = String.raw`"[^"\\\n]*(?:\\.[^"\\\n]*)*"?`;
const comments = new RegExp(String.raw`${stringPattern}|\/\/[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*$)`, 'g');
const lastCommas = new RegExp(String.raw`${stringPattern}|,(?=\s*[}\]])`, 'g');

/** Returns JSON with comments as plain JSON of the same length: comments and last commas become spaces. */
function plainJson(text: string): string {
  const blank = (part: string): string => (part.startsWith('"') ? part : part.replaceAll(/[^\n]/g, ' '));
  return text
    .replace(/^\uFEFF/, ' ')
    .replaceAll(comments, blank)
    .replaceAll(lastCommas, blank);
}

const tokens = new RegExp(String.raw`${stringPattern}|[{}[\]:,]|[^\s{}[\]:,"]+`, 'g');

/** Reads the members of the object that begins at an offset of plain, valid JSON. */
function readObject(plain: string, open: number): ObjectInText {
  const members: Member[] = [];
  let depth = 0;
  let key: { readonly key: string; readonly from: number } | undefined;
  let value: number | undefined;
  let end = open;
  const close = (): void => {
    if (key !== undefined && value !== undefined) members.push({ ...key, value, to: end });
    key = value = undefined;
  };
  for (const token of matchesFrom(plain, open)) {
    const [word] = token;
    if (depth === 1 && word === ',') close();
    else if (depth === 1 && word === '}') {
      close();
      return { open, close: token.index, members };
    } else if (depth === 1 && key === undefined) key = { key: JSON.parse(word) as string, from: token.index };
    else if (depth === 1 && word !== ':') value ??= token.index;
    if (word === '{' || word === '[') depth += 1;
    if (word === '}' || word === ']') depth -= 1;
    end = token.index + word.length;
  }
  throw new Error('The object does not end.');
}

function* matchesFrom(text: string, start: number): Generator<RegExpExecArray> {
  const pattern = new RegExp(tokens);
  pattern.lastIndex = start;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) yield match;
}

/** The way in which a text is laid out. */
interface Style {
  readonly indent: string;
  readonly lineEnd: string;
}

function styleOf(text: string, root: ObjectInText): Style {
  const [first] = root.members;
  const before = first === undefined ? '' : text.slice(0, first.from);
  const indent = /\n([ \t]+)$/.exec(before)?.[1] ?? '  ';
  return { indent, lineEnd: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** Lists of texts, which stand on a line. */
const shortLists = /\[\n([^[\]{}]*)\n\s*\]/g;

/** Inserts a member as the last of an object, after any comment there. */
function insert(
  text: string,
  { open, close, members }: ObjectInText,
  added: Style & { readonly depth: number; readonly key: string; readonly value: unknown },
): string {
  const { indent, lineEnd, depth, key, value } = added;
  const lines = JSON.stringify(value, null, indent).replaceAll(
    shortLists,
    (_list, items: string) => `[${items.trim().replaceAll(/\n\s*/g, ' ')}]`,
  );
  const last = members.at(-1);
  const inside = text.slice(open + 1, close);
  const at = open + 1 + inside.trimEnd().length;
  const isOneLine = last !== undefined && !inside.includes('\n');
  const before = isOneLine ? ' ' : lineEnd + indent.repeat(depth);
  const written = lines.replaceAll(/\n\s*/g, (gap) =>
    isOneLine ? ' ' : lineEnd + indent.repeat(depth) + gap.slice(1),
  );
  const member = `${before}${JSON.stringify(key)}: ${written}`;
  const isEnded = isOneLine || /\n\s*$/.test(text.slice(at, close));
  const end = isEnded ? text.slice(at) : `${lineEnd}${indent.repeat(depth - 1)}${text.slice(close)}`;
  if (last === undefined) return text.slice(0, at) + member + end;
  // A comma behind the last member is the style of the file.
  if (commaAfter(text, last.to) !== undefined) return `${text.slice(0, at)}${member},${end}`;
  return `${text.slice(0, last.to)},${text.slice(last.to, at)}${member}${end}`;
}

/** Removes a member from an object, with the comma that divides it from another. */
function remove(text: string, { open, close, members }: ObjectInText, own: Member): string {
  const next = commaAfter(text, own.to);
  const before = members[members.indexOf(own) - 1];
  const from = open + text.slice(open, own.from).trimEnd().length;
  const isOnly = members.length === 1;
  if (next !== undefined) return text.slice(0, from) + text.slice(next + 1);
  const comma = before === undefined ? undefined : commaAfter(text, before.to);
  const kept = comma === undefined ? text.slice(0, from) : text.slice(0, comma) + text.slice(comma + 1, from);
  const rest = text.slice(own.to, close);
  return kept + (isOnly && rest.trim() === '' ? '' : rest) + text.slice(close);
}

/** Returns the offset of the comma that follows a value, after comments; undefined when none does. */
function commaAfter(text: string, to: number): number | undefined {
  const rest = text.slice(to).replaceAll(comments, (part) => part.replaceAll(/[^\n]/g, ' '));
  const comma = rest.search(/\S/);
  return rest[comma] === ',' ? to + comma : undefined;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

import type { EditProblem } from './edit-json.ts';

/** A statement of TOML: a header of a table, or a key with its value. */
interface Statement {
  readonly line: number;
  /** The key in parts, without the name of the table that has it. */
  readonly path: readonly string[];
  /** True for a table whose keys stand inside braces, or for a list of tables: nothing can be added to it elsewhere. */
  readonly isClosed: boolean;
}

/**
 * Puts a table at the end of a text of TOML; every other byte stays. Returns undefined where a table of its name is there
 * already, in whatever form.
 * @param name - The name of the table in parts.
 * @param body - Its keys with their values, a line for each.
 */
export function putTable(
  text: string,
  name: readonly string[],
  body: readonly string[],
): string | undefined | EditProblem {
  const read = readStatements(text);
  if ('problem' in read) return read;
  if (read.statements.some(({ path }) => startsWith(path, name))) return undefined;
  const closed = read.statements.find(({ path, isClosed }) => isClosed && startsWith(name, path));
  if (closed !== undefined) {
    const [first = ''] = closed.path;
    return {
      problem: `line ${closed.line} has all of \`${first}\` in one value, to which no table can be added`,
    };
  }
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const begun = text === '' || text.endsWith('\n') ? text : text + lineEnd;
  const gap = begun.replace(/^\uFEFF/, '').trim() === '' ? '' : lineEnd;
  return begun + gap + writeTable(name, body).replaceAll('\n', lineEnd);
}

/** Removes a table that is exactly as it was written; undefined where there is none like it. */
export function takeTable(
  text: string,
  name: readonly string[],
  bodies: readonly (readonly string[])[],
): string | undefined {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  for (const body of bodies) {
    const written = writeTable(name, body).replaceAll('\n', lineEnd);
    const at = text.indexOf(written);
    const rest = text.slice(at + written.length);
    // A key of the user's below the table belongs to it: then it is not ours alone.
    if (at < 0 || /^[ \t]*[^\s#[]/m.exec(rest)?.index === 0) continue;
    const before = text.slice(0, at);
    return (before.endsWith(lineEnd + lineEnd) ? before.slice(0, -lineEnd.length) : before) + rest;
  }
  return undefined;
}

function writeTable(name: readonly string[], body: readonly string[]): string {
  return `${[`[${name.join('.')}]`, ...body].join('\n')}\n`;
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((part, index) => path[index] === part);
}

/** Texts over several lines, texts, comments, line breaks, and what divides keys and values. */
const tokens =
  /"""(?:[^"\\]|\\[\s\S]|"(?!""))*"{3,5}|'''(?:[^']|'(?!''))*'{3,5}|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\n]*'|#[^\n]*|\n|[[\]{}=,.]|[^\s"'#[\]{}=,.]+|["']/g;

/** Reads where the tables and the keys of a text stand. What a value says is not checked. */
function readStatements(text: string): { readonly statements: Statement[] } | EditProblem {
  const statements: Statement[] = [];
  let table: readonly string[] = [];
  let line = 1;
  let depth = 0;
  let words: string[] = [];
  const end = (): boolean => {
    const read = words.length === 0 ? undefined : readStatement(words);
    if (read === 'unreadable') return false;
    if (read !== undefined) {
      if (read.isTable) table = read.key;
      const path = read.isTable ? read.key : [...table, ...read.key];
      statements.push({ line, path, isClosed: read.isClosed });
    }
    words = [];
    return true;
  };
  for (const [token] of text.replace(/^\uFEFF/, '').matchAll(tokens)) {
    if (token === '"' || token === "'") return { problem: `line ${line} is not TOML` };
    if (token === '\n' && depth === 0 && !end()) return { problem: `line ${line} is not TOML` };
    if (token !== '\n' && !token.startsWith('#')) words.push(token);
    if ('[{'.includes(token)) depth += 1;
    if (']}'.includes(token)) depth -= 1;
    line += token.split('\n').length - 1;
  }
  return depth === 0 && end() ? { statements } : { problem: `line ${line} is not TOML` };
}

/** Reads the key of a statement from its words. */
function readStatement(
  words: readonly string[],
): { readonly key: string[]; readonly isTable: boolean; readonly isClosed: boolean } | 'unreadable' {
  const isTable = words[0] === '[';
  const isList = isTable && words[1] === '[';
  const equals = words.indexOf('=');
  const inside = isTable
    ? words.slice(isList ? 2 : 1, words.indexOf(']'))
    : words.slice(0, Math.max(0, equals));
  const isWhole = isTable ? words.at(-1) === ']' : equals > 0 && equals < words.length - 1;
  const isDivided =
    inside.every((word, index) => (word === '.') === (index % 2 === 1)) && inside.length % 2 === 1;
  if (!isWhole || !isDivided) return 'unreadable';
  const key = inside.filter((word) => word !== '.').map(unquote);
  return { key, isTable, isClosed: isList || (!isTable && words[equals + 1] === '{') };
}

function unquote(word: string): string {
  if (word.startsWith("'")) return word.slice(1, -1);
  if (!word.startsWith('"')) return word;
  try {
    return JSON.parse(word) as string;
  } catch {
    return word.slice(1, -1);
  }
}

import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { refuseHeldOut } from '../../../core/lib/held-out.ts';
import { hashText } from '../../../core/lib/content-hash.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { lazily } from '../../../core/lib/lazily.ts';
import { displayPath } from '../../../core/lib/text/display-path.ts';
import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import type { FoundDocuments, SourceDocument } from './document.ts';
import { relativePath } from '../../../core/lib/files/path-within.ts';

/** The extensions of files with one document each. */
const textExtensions: ReadonlySet<string> = new Set(['.md', '.markdown', '.txt', '.text']);
const linesExtension = '.jsonl';

/** The largest file in bytes, and the most files. */
const largestFile = 32 * 1024 * 1024;
const mostFiles = 10_000;

/** A file below a root: the folder that was named, or its own folder. */
interface FoundFile {
  readonly path: string;
  readonly root: string;
}

/**
 * Reads documents from files and folders: Markdown and plain text, a document each, and JSONL, a document a line. Folders
 * are read with their subfolders, in the order of names, without hidden files. A symbolic link in a folder is followed only
 * to a file below the same folder. Throws `document-unreadable` for a path that cannot be used, and without any document.
 */
export async function readDocuments(paths: readonly string[], folder: string): Promise<FoundDocuments> {
  const notices: string[] = [];
  const files = new Map<string, FoundFile>();
  for (const named of paths) {
    for (const file of await findFiles(path.resolve(folder, named), notices)) files.set(file.path, file);
  }
  if (files.size > mostFiles)
    throw unreadable(`There are ${files.size} files; at most ${mostFiles} can be read.`);
  const documents: SourceDocument[] = [];
  for (const file of files.values()) documents.push(...(await readFileOf(file, notices)));
  if (documents.length > 0) return { documents: withOwnIds(documents), notices };
  throw unreadable(`There is no text in ${paths.map((each) => toTerminalText(each)).join(', ')}.`);
}

function unreadable(message: string, cause?: unknown): TouchstoneError {
  return new TouchstoneError('document-unreadable', message, cause === undefined ? {} : { cause });
}

function nameOf(file: string): string {
  return toTerminalText(displayPath(file));
}

async function findFiles(named: string, notices: string[]): Promise<FoundFile[]> {
  let real: string;
  try {
    real = await realpath(named);
    if (!(await lstat(real)).isDirectory()) {
      if (isReadable(real)) return [{ path: real, root: path.dirname(real) }];
      throw unreadable(`${nameOf(named)}: documents are .md, .txt or .jsonl files.`);
    }
    return await walk(real, real, notices);
  } catch (error) {
    if (error instanceof TouchstoneError) throw error;
    throw unreadable(`${nameOf(named)}: ${explain(error)}`, error);
  }
}

function explain(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file or folder.';
  return code === 'EACCES' || code === 'EPERM' ? 'no permission to read it.' : messageOf(error);
}

function isReadable(file: string): boolean {
  const extension = path.extname(file).toLowerCase();
  return textExtensions.has(extension) || extension === linesExtension;
}

async function walk(current: string, root: string, notices: string[]): Promise<FoundFile[]> {
  const entries = await readdir(current, { withFileTypes: true });
  const found: FoundFile[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const inside = path.join(current, entry.name);
    if (entry.isDirectory()) found.push(...(await walk(inside, root, notices)));
    else if (entry.isSymbolicLink()) found.push(...(await followLink(inside, root, notices)));
    else if (!entry.isFile() || !isReadable(inside))
      notices.push(`${nameOf(inside)} was not read: it is not text.`);
    else found.push({ path: inside, root });
  }
  return found;
}

async function followLink(link: string, root: string, notices: string[]): Promise<FoundFile[]> {
  const target = await realpath(link).catch(() => undefined);
  const isBelow = target?.startsWith(`${root}${path.sep}`) === true;
  if (target !== undefined && isBelow && isReadable(target) && (await lstat(target)).isFile())
    return [{ path: target, root }];
  notices.push(`${nameOf(link)} was not read: a link is followed only to a text file below the same folder.`);
  return [];
}

async function readFileOf({ path: file, root }: FoundFile, notices: string[]): Promise<SourceDocument[]> {
  const text = await readText(file);
  if (path.extname(file).toLowerCase() === linesExtension) return readJsonLines(text, nameOf(file), notices);
  if (!/[\p{L}\p{N}]/u.test(text)) {
    notices.push(`${nameOf(file)} was not read: it has no text.`);
    return [];
  }
  const below = relativePath(root, file);
  const id = below.slice(0, below.length - path.extname(below).length);
  return [{ id, place: nameOf(file), text, hash: hashText(text) }];
}

async function readText(file: string): Promise<string> {
  refuseHeldOut(file);
  try {
    const { size } = await lstat(file);
    if (size > largestFile)
      throw unreadable(`${nameOf(file)}: it is larger than ${largestFile / 1024 / 1024} MB.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof TouchstoneError) throw error;
    if (error instanceof TypeError) throw unreadable(`${nameOf(file)}: it is not UTF-8 text.`, error);
    throw unreadable(`${nameOf(file)}: ${explain(error)}`, error);
  }
}

/** Gives documents that share an id the name of their file as well: `notes.md` next to `notes.txt`. */
function withOwnIds(documents: readonly SourceDocument[]): SourceDocument[] {
  const counts = new Map<string, number>();
  for (const { id } of documents) counts.set(id, (counts.get(id) ?? 0) + 1);
  return documents.map((document) =>
    counts.get(document.id) === 1 ? document : { ...document, id: `${document.id} (${document.place})` },
  );
}

/** The names that other tools give to the id, the title and the text of a document, in the order in which they are tried. */
const names = {
  id: ['id', '_id', 'doc_id', 'document_id'],
  title: ['title', 'name'],
  text: ['text', 'content', 'contents', 'body', 'page_content'],
} as const;

const lineSchema = lazily(() =>
  z.object({
    id: z.union([z.string().trim().min(1), z.number()]).optional(),
    title: z.string().optional(),
    text: z.string(),
  }),
);

/**
 * Reads documents from JSONL: one object a line, with `text`, and `id` and `title` where it has them; other usual names of
 * these fields are known. Throws `document-unreadable` with the line of an object that cannot be used.
 */
function readJsonLines(written: string, file: string, notices: string[]): SourceDocument[] {
  const documents: SourceDocument[] = [];
  for (const [index, line] of written.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const place = `${file}:${index + 1}`;
    const { id = `line-${index + 1}`, title, text } = readLine(line, place);
    if (!/[\p{L}\p{N}]/u.test(text)) {
      notices.push(`${place} was not read: it has no text.`);
      continue;
    }
    const whole = title === undefined || title.trim() === '' ? text : `# ${title.trim()}\n\n${text}`;
    documents.push({ id: String(id), place, text: whole, hash: hashText(whole) });
  }
  return documents;
}

function readLine(line: string, place: string): z.output<ReturnType<typeof lineSchema>> {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (cause) {
    throw unusable(place, 'is not valid JSON', cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unusable(place, 'is not a JSON object');
  const fields = value as Readonly<Record<string, unknown>>;
  const find = (known: readonly string[]) =>
    fields[known.find((name) => Object.hasOwn(fields, name) && fields[name] !== null) ?? ''];
  const parsed = lineSchema().safeParse({
    id: find(names.id),
    title: find(names.title),
    text: find(names.text),
  });
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path[0] ?? 'text';
  throw unusable(place, `has no usable \`${String(field)}\``);
}

function unusable(place: string, fault: string, cause?: unknown): TouchstoneError {
  return new TouchstoneError('document-unreadable', `${place}: the line ${fault}.`, {
    remedy: 'Write one object a line: {"id": "fees", "title": "Fees", "text": "…"}.',
    cause,
  });
}

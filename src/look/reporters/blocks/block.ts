import { span, type Text, type Tone } from './text.ts';

/** A title: of the document (1), of a part of it (2), or of a section (3). */
export interface Heading {
  readonly kind: 'heading';
  readonly level: 1 | 2 | 3;
  readonly text: Text;
}

/** A text and the label or the marks before it. */
export interface Entry {
  readonly text: Text;
  /** A word that says what the text is about: `Calls`. */
  readonly label?: string;
  /** Signs or numbers before the text, which its further lines are indented by. */
  readonly mark?: Text;
}

/** A paragraph. */
export interface Paragraph extends Entry {
  readonly kind: 'paragraph';
  /** The columns that a terminal indents it by; 2 by default. */
  readonly indent?: number;
}

/** An item of a list with its details below. */
export interface Item extends Entry {
  readonly details?: readonly Entry[];
  /** The most lines of the text in a terminal. */
  readonly mostLines?: number;
}

/** A list; a numbered one is numbered by the renderer. */
export interface List {
  readonly kind: 'list';
  readonly items: readonly Item[];
  readonly isNumbered?: boolean;
  /** The columns that a terminal indents it by; 2 by default. */
  readonly indent?: number;
}

/** A column of a table. */
export interface Column {
  readonly title: string;
  /** The title where every column needs one. */
  readonly name?: string;
  /** True for a title from outside. */
  readonly isQuoted?: boolean;
  readonly align?: 'left' | 'right';
  /** True for a column that is dropped when a terminal is too narrow, beginning with the last. */
  readonly isOptional?: boolean;
  /** True for a drawing in characters of one width, which only a terminal has. */
  readonly isDrawing?: boolean;
}

/** A row of a table. */
export interface Row {
  readonly cells: readonly Text[];
  /** A second line of its cells. */
  readonly below?: readonly Text[];
  /** Texts between this row and the one before, over all columns. */
  readonly above?: readonly Entry[];
}

/** A table. Columns without any content are dropped, except for the first, which is shortened when there is no room. */
export interface Table {
  readonly kind: 'table';
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** A labelled line about a single answer. */
export interface Field {
  readonly kind: 'field';
  readonly label: string;
  readonly text: Text;
}

/** A labelled text of any size and several lines, such as an answer; nothing for an empty text. */
export interface Excerpt {
  readonly kind: 'excerpt';
  readonly label: string;
  readonly text: string;
  /** The most lines, after which the text is cut and its size is shown; no limit by default. */
  readonly most?: number;
  readonly tone?: Tone;
}

/** A command that can be pasted into a shell, after a description of it. */
export interface Command {
  readonly kind: 'command';
  readonly lead: string;
  readonly command: string;
  /** The end of the command, which goes on a line of its own when there is no room. */
  readonly end?: string;
  /** The columns that a terminal indents it by; 2 by default. */
  readonly indent?: number;
}

/** One of two texts side by side, under its title. */
export interface Side {
  readonly mark: Text;
  readonly title: Text;
  /** A text from outside, of any size and several lines. */
  readonly text: string;
}

/** Two texts side by side. */
export interface Sides {
  readonly kind: 'sides';
  readonly sides: readonly Side[];
}

/** Blocks that belong together. A terminal has an empty line before them; nothing when they are empty. */
export interface Section {
  readonly kind: 'section';
  readonly blocks: readonly Block[];
}

/** Blocks that a page shows when they are opened. */
export interface Folded {
  readonly kind: 'folded';
  readonly title: string;
  readonly blocks: readonly Block[];
  /** True if a terminal, which cannot fold, leaves them out. */
  readonly isHidden?: boolean;
}

/** A part of a report that does not say how it is written. */
export type Block =
  | Heading
  | Paragraph
  | List
  | Table
  | Field
  | Excerpt
  | Command
  | Sides
  | Section
  | Folded
  /** A line between parts, or an empty line; only in a terminal. */
  | { readonly kind: 'rule' | 'gap' };

/** A thin line over the whole width of a terminal. */
export const rule: Block = { kind: 'rule' };

/** An empty line in a terminal. */
export const gap: Block = { kind: 'gap' };

/** Creates a title. */
export function heading(level: Heading['level'], text: Text): Heading {
  return { kind: 'heading', level, text };
}

/** Creates a paragraph. */
export function paragraph(text: Text, parts: Omit<Paragraph, 'kind' | 'text'> = {}): Paragraph {
  return { kind: 'paragraph', text, ...parts };
}

/** Creates a dimmed paragraph; an empty one is not shown. */
export function note(text: string, parts: Omit<Paragraph, 'kind' | 'text'> = {}): Paragraph {
  return paragraph([span(text, 'quiet')], parts);
}

/** Creates a list. */
export function list(items: readonly Item[], parts: Omit<List, 'kind' | 'items'> = {}): List {
  return { kind: 'list', items, ...parts };
}

/** Creates a table of rows of one line each. */
export function table(columns: readonly Column[], rows: readonly (readonly Text[])[]): Table {
  return { kind: 'table', columns, rows: rows.map((cells) => ({ cells })) };
}

/** Creates a labelled line about a single answer. */
export function field(label: string, text: Text): Field {
  return { kind: 'field', label, text };
}

/** Creates a labelled text of several lines. */
export function excerpt(label: string, text: string, parts: Pick<Excerpt, 'most' | 'tone'> = {}): Excerpt {
  return { kind: 'excerpt', label, text, ...parts };
}

/** Groups blocks that belong together. */
export function section(...blocks: readonly Block[]): Section {
  return { kind: 'section', blocks };
}

import type { CellKind } from './field-table.ts';

const listSeparators = /[|;\r\n]/;
const nameSeparators = /[|;,\r\n]/;

/**
 * The value that a text cell stands for. A list is a JSON list, or is separated by `|`, `;` or line breaks, names and
 * ids also by commas. A cell that is not of its kind stays the text it is, for the check to refuse; so does a list with
 * commas alone, which may be one text or several.
 */
export function readCell(cell: string, kind: CellKind): unknown {
  if (kind === 'list') return hasDoubtfulCommas(cell) ? cell : readList(cell, listSeparators);
  if (kind === 'names' || kind === 'tools') return readList(cell, nameSeparators);
  if (kind === 'messages') return readMessages(cell);
  if (kind === 'documents')
    return cell.trimStart().startsWith('{') ? readJson(cell) : readList(cell, nameSeparators);
  if (kind === 'json' || kind === 'calls' || kind === 'actions')
    return /^\s*[[{]/.test(cell) ? readJson(cell) : cell;
  return kind === 'flag' ? readFlag(cell) : cell;
}

function readList(cell: string, separators: RegExp): unknown {
  if (cell.trimStart().startsWith('[')) return readJson(cell);
  return cell
    .split(separators)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** A question may well begin with a bracket: only a list of messages is a conversation. */
function readMessages(cell: string): unknown {
  const value = cell.trimStart().startsWith('[') ? parseJson(cell) : undefined;
  const isConversation =
    Array.isArray(value) && value.length > 0 && value.every((item) => item?.role !== undefined);
  return isConversation ? value : cell;
}

function readFlag(cell: string): unknown {
  const word = cell.trim().toLowerCase();
  if (['true', 'yes', '1'].includes(word)) return true;
  return ['false', 'no', '0'].includes(word) ? false : cell;
}

function readJson(cell: string): unknown {
  return parseJson(cell) ?? cell;
}

function parseJson(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return undefined;
  }
}

/** Whether a cell has commas that may separate items, and nothing that surely does. Those within numbers do not. */
function hasDoubtfulCommas(cell: string): boolean {
  if (cell.trimStart().startsWith('[') || listSeparators.test(cell)) return false;
  return cell.replace(/\d,(?=\d{3}(?!\d))/g, '').includes(',');
}

import { z } from 'zod';

/** A parameter of an address; another type than text is as if it were not there. */
export const text = z.string().min(1).optional().catch(undefined);

/** The parameters of the pages that a report in one file has, too. */
export const shared = {
  /** `target` is the target whose numbers are shown in full. */
  run: z.object({ target: text }),
  /** The list that the case was opened from, or the address of the matrix. */
  oneCase: z.object({ where: text, sort: text, text, matrix: text }),
  /** The columns, with commas between them; the rows; the column that words are compared with; the cell that has the focus. */
  matrix: z.object({ columns: text, where: text, sort: text, diff: text, at: text }),
  /** `where` and `sort` belong to the list of cases, `case` is the id of the open one. */
  compare: z.object({
    a: text,
    b: text,
    targetA: text,
    targetB: text,
    measure: text,
    where: text,
    sort: text,
    case: text,
    /** A number of a comparison in pairs whose cases are listed. */
    prefers: text,
  }),
} as const;

/** The parameters as plain text, `?dataset=golden.jsonl`, so that an address can be written by hand and shared. */
export const plainSearch = {
  parseSearch: (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search: Readonly<Record<string, unknown>>): string => {
    const present = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const parameters = new URLSearchParams(present.map(([name, value]) => [name, String(value)]));
    return parameters.size === 0 ? '' : `?${parameters}`;
  },
} as const;

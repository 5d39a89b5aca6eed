/** The formats in which a page offers what it shows as a file; `html` is the page in one file. */
export const downloadFormats = ['csv', 'jsonl', 'html'] as const;

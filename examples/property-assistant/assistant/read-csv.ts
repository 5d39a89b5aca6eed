/** Parses CSV text with a header line and double-quoted fields, an object a row; an empty field is null. */
export function readCsv(text: string): Record<string, string | null>[] {
  const [header = [], ...lines] = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(splitLine);
  return lines.map((fields) => Object.fromEntries(header.map((name, at) => [name, fields[at] || null])));
}

function splitLine(line: string): string[] {
  const fields = line.match(/("[^"]*"|[^,]*)(,|$)/g) ?? [];
  const cleaned = fields.map((field) =>
    field
      .replace(/,$/, '')
      .replace(/^"(.*)"$/, '$1')
      .trim(),
  );
  return line.endsWith(',') ? cleaned : cleaned.slice(0, -1);
}

const counts: Record<string, number> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  'half an': 0.5,
  half: 0.5,
};

const pattern = new RegExp(
  String.raw`\b(?<quarter>quarter of an hour)\b|` +
    String.raw`\b(?<hours>\d+(?:\.\d+)?|half an?|an?|one|two|three|four|half)[ -]?(?:hours?|hrs?|h)\b(?<half> and a half)?|` +
    String.raw`\b(?<minutes>\d+)[ -]?(?:minutes?|mins?)\b`,
);

/** How many minutes a meeting is to take, where a folded text says so: "half an hour", "1.5 hours", "45 minutes". */
export function readDuration(text: string): number | undefined {
  const found = pattern.exec(text)?.groups;
  if (found === undefined) return undefined;
  if (found['quarter'] !== undefined) return 15;
  if (found['minutes'] !== undefined) return Number(found['minutes']);
  const hours = found['hours'] ?? '';
  return ((counts[hours] ?? Number(hours)) + (found['half'] === undefined ? 0 : 0.5)) * 60;
}

import type { NamedUse } from '../../../core/lib/define.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { toolCallsOf } from '../../../core/schema/trial.ts';
import type { MarkedResult } from './marked-result.ts';

/** A check by code that may find a mode: what people call it, and the metric, which passes where the mode is not there. */
export interface ProposedCheck {
  readonly type: 'contains' | 'regex' | 'json-schema' | 'tool-called' | 'forbidden-tool' | 'latency';
  readonly use: NamedUse;
}

/** The most checks of one type that are tried. */
const mostOfType = 40;

/** Proposes checks from answers that were marked: of the tune half alone, since the other one is for counting. */
export function proposeChecks(answers: readonly MarkedResult[]): ProposedCheck[] {
  const [bad, good] = [answers.filter(({ present }) => present), answers.filter(({ present }) => !present)];
  const proposed = [
    ...phraseChecks(bad, good),
    ...patternChecks(bad),
    ...jsonChecks(good),
    ...toolChecks(answers),
    ...latencyChecks(answers),
  ];
  const byType = Map.groupBy(proposed, ({ type }) => type);
  return [...byType.values()].flatMap((own) => own.slice(0, mostOfType));
}

/** Checks for words that answers with the mode have more often than others, or less often. */
function phraseChecks(bad: readonly MarkedResult[], good: readonly MarkedResult[]): ProposedCheck[] {
  const [inBad, inGood] = [countPhrases(bad), countPhrases(good)];
  const excess = (phrase: string) =>
    (inBad.get(phrase) ?? 0) / Math.max(1, bad.length) - (inGood.get(phrase) ?? 0) / Math.max(1, good.length);
  const ranked = [...new Set([...inBad.keys(), ...inGood.keys()])]
    .map((phrase) => ({ phrase, excess: excess(phrase) }))
    .filter((each) => Math.abs(each.excess) >= 0.3)
    .toSorted(
      (one, other) =>
        Math.abs(other.excess) - Math.abs(one.excess) || one.phrase.length - other.phrase.length,
    )
    .slice(0, mostOfType);
  return ranked.map(({ phrase, excess: difference }) => ({
    type: 'contains',
    use: { use: difference > 0 ? 'not-contains' : 'contains', value: phrase },
  }));
}

/** The longest phrase in words, and the most words of an answer that are read. */
const longestPhrase = 3;
const mostWords = 400;

/** Returns the number of answers that contain each phrase of one to three words. */
function countPhrases(answers: readonly MarkedResult[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { trial } of answers) {
    const found = new Set<string>();
    for (const line of (trial.answer ?? '').toLowerCase().split(/[\n.!?;:,()"“”]+/u)) {
      const words = line.trim().split(/\s+/u).filter(Boolean).slice(0, mostWords);
      for (let length = 1; length <= longestPhrase; length += 1)
        for (let start = 0; start + length <= words.length; start += 1)
          found.add(words.slice(start, start + length).join(' '));
    }
    for (const phrase of found) if (phrase.length >= 3) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  }
  return counts;
}

/** Kinds of text that answers often should not contain. */
const knownPatterns: readonly string[] = [
  String.raw`\b\d{4}-\d{2}-\d{2}\b`,
  String.raw`\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b`,
  String.raw`\b\d{1,2}(st|nd|rd|th)? (january|february|march|april|may|june|july|august|september|october|november|december)\b`,
  String.raw`https?://\S+`,
  String.raw`[\w.+-]+@[\w-]+\.\w+`,
  String.raw`[$€£]\s?\d`,
  String.raw`\d\s?%`,
  '```',
  String.raw`^\s*[-*] `,
  String.raw`^#+ `,
];

/** Checks for patterns: the words that people marked, with any digits for digits, and some known patterns. */
function patternChecks(bad: readonly MarkedResult[]): ProposedCheck[] {
  const own = bad.flatMap(({ marked }) => marked.map(patternOf));
  const patterns = [...new Set([...own, ...knownPatterns])].filter((pattern) => pattern.length >= 3);
  return patterns.map((pattern) => ({
    type: 'regex',
    use: { use: 'not', metric: { use: 'regex', pattern, flags: 'imu' } },
  }));
}

function patternOf(text: string): string {
  return text
    .trim()
    .slice(0, 200)
    .replaceAll(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`)
    .replaceAll(/\\-/gu, '-')
    .replaceAll(/\d+/gu, String.raw`\d+`)
    .replaceAll(/\s+/gu, String.raw`\s+`);
}

/** A check of the form of the answer, where all answers without the mode are JSON objects. */
function jsonChecks(good: readonly MarkedResult[]): ProposedCheck[] {
  const objects = good.map(({ trial }) => readObject(trial.answer));
  const [first] = objects;
  if (first === undefined || objects.some((object) => object === undefined)) return [];
  const required = Object.keys(first).filter((key) =>
    objects.every((object) => object !== undefined && key in object),
  );
  return [{ type: 'json-schema', use: { use: 'json-schema', schema: { type: 'object', required } } }];
}

function readObject(answer: string | null): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parseJson(answer ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

function toolChecks(answers: readonly MarkedResult[]): ProposedCheck[] {
  const names = new Set(
    answers.flatMap(({ trial }) => toolCallsOf(trial.transcript).map(({ name }) => name)),
  );
  return [...names].flatMap((name): ProposedCheck[] => [
    { type: 'tool-called', use: { use: 'check', calls: name } },
    { type: 'forbidden-tool', use: { use: 'check', calls: name, exists: false } },
  ]);
}

/** Checks of the time, with limits between the times of the answers. */
function latencyChecks(answers: readonly MarkedResult[]): ProposedCheck[] {
  const times = answers
    .flatMap(({ trial }) => trial.latency?.totalMs ?? [])
    .toSorted((one, other) => one - other);
  const limits = Array.from(
    { length: 19 },
    (_, index) => times[Math.floor(((index + 1) / 20) * times.length)],
  );
  const rounded = limits.flatMap((time) =>
    time === undefined || time <= 0 ? [] : [Math.ceil(time / 10) * 10],
  );
  return [...new Set(rounded)].map((maxMs) => ({ type: 'latency', use: { use: 'latency', maxMs } }));
}

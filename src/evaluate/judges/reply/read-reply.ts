import { isContainer } from '../../../core/lib/json/is-container.ts';
import { containsPieces, quotePieces } from '../../../core/lib/text/quotes.ts';
import { detectRefusal } from '../../../core/lib/refusals/detect-refusal.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import { splitThinking } from '../../models/conversation.ts';
import type { ChatReply } from '../../models/model.ts';
import type { Json } from '../../../core/schema/json.ts';
import {
  type AnswerOf,
  type AnswerShape,
  judgeAnswerSchemas,
  type Judgement,
} from '../../../core/schema/judgement.ts';
import type { JudgeQuestion } from '../judge.ts';
import { restateLabel, restatements, templateReason, unitScale } from '../prompt/reply-forms.ts';
import { findAnswer } from './find-answer.ts';
import { CutOff, JudgeRefused, MissingQuote, UnreadableReply } from './unreadable-reply.ts';

type Outcome = Judgement['outcome'];

/**
 * Reads the answers from a reply, one for each question. Only the object with the id of the request counts, so never
 * one copied from the judged material, and only when the reply contains no other verdict.
 * @param questions - The questions by their names in the reply.
 */
export function readReply(
  reply: GivenReply,
  questions: ReadonlyMap<string, JudgeQuestion>,
  id: string,
): Map<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  const fail = (error: unknown): Outcome => {
    if (!(error instanceof UnreadableReply)) throw error;
    return { status: 'failed', code: error.code, reason: error.message };
  };
  let object: Readonly<Record<string, unknown>>;
  try {
    object = readObject(reply, questions, id);
  } catch (error) {
    for (const name of questions.keys()) outcomes.set(name, fail(error));
    return outcomes;
  }
  for (const [name, question] of questions) {
    try {
      const value = questions.size === 1 ? object : object[name];
      outcomes.set(name, { status: 'answered', answer: readGiven(value, question) });
    } catch (error) {
      outcomes.set(name, fail(error));
    }
  }
  return outcomes;
}

function readObject(
  { text, finishReason, ...words }: GivenReply,
  questions: ReadonlyMap<string, JudgeQuestion>,
  id: string,
): Readonly<Record<string, unknown>> {
  if (finishReason === 'length') throw new CutOff(whatIsLeft(text));
  if (words.refused !== undefined || finishReason === 'content-filter') {
    throw new JudgeRefused(
      `the provider of the judge refused: ${words.refused ?? words.finishWord ?? finishReason}`,
    );
  }
  const material = [...questions.values()].flatMap((question) => question.material);
  const found = findAnswer(splitThinking(text ?? '').text, { id, material });
  if (found.fault !== undefined) {
    const sign = /[{[]/.test(text ?? '') ? undefined : detectRefusal(text ?? '');
    if (sign !== undefined) throw new JudgeRefused(`the judge refused: ${shorten((text ?? '').trim(), 100)}`);
    throw new UnreadableReply(found.fault);
  }
  return found.value;
}

/** The parts of a reply that say whether it can be read. */
type GivenReply = Pick<ChatReply, 'text' | 'finishReason' | 'finishWord' | 'refused'>;

function whatIsLeft(text: string | null): string {
  const where =
    (text ?? '').trim() === '' ? 'before it wrote anything, so in its reasoning' : 'within its reply';
  return `the judge was cut off at its limit of tokens ${where}: raise \`maxTokens\` of its model`;
}

function readGiven(value: unknown, question: JudgeQuestion): Json {
  const { shape, items } = question;
  if (isTemplate(value))
    throw new UnreadableReply('the reason is that of the example, word for word: nothing was judged');
  const read = readAnswer(value, question);
  if (read.fault !== undefined) throw new UnreadableReply(read.fault);
  const contradiction = findContradiction(value as Readonly<Record<string, unknown>>, question);
  if (contradiction !== undefined) throw new UnreadableReply(contradiction);
  if (shape === 'checks') checkItems(read.answer as AnswerOf<'checks'>, items);
  const missing =
    shape === 'quoted-verdict'
      ? findQuoteFault(read.answer as AnswerOf<'quoted-verdict'>, question)
      : undefined;
  if (missing !== undefined) throw new MissingQuote(missing);
  return read.answer;
}

/** Returns whether an answer, or one of its checks, gives the words of the example as its reason. */
function isTemplate(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { reason, checks } = value as { readonly reason?: unknown; readonly checks?: unknown };
  if (Array.isArray(checks)) return checks.some((check) => isTemplate(check));
  if (typeof reason !== 'string') return false;
  const words = reason
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return words === templateReason || words === `${templateReason} in one to three sentences`;
}

function checkItems({ checks }: AnswerOf<'checks'>, items = 0): void {
  const isWhole = checks.length === items && checks.every(({ claim }, index) => claim === index + 1);
  if (!isWhole) throw new UnreadableReply(`"checks" must hold each of the ${items} claims once, in order`);
}

/** An answer as it is stored, or its fault. */
export type GivenAnswer = { readonly answer: Json; readonly fault?: undefined } | { readonly fault: string };

const keysOf: Readonly<Record<AnswerShape, readonly string[]>> = {
  score: ['reason', 'score'],
  verdict: ['reason', 'verdict'],
  'quoted-verdict': ['reason', 'quote', 'verdict'],
  label: ['reason', 'label'],
  preference: ['reason', 'better'],
  claims: ['claims'],
  checks: ['checks'],
};

/** The form of answer that a question asks for. */
type AskedForm = Pick<JudgeQuestion, 'shape' | 'scale' | 'labels'>;

/** Reads an answer in the shape that a question requires. A score on another scale is converted to the scale from 0 to 1. */
export function readAnswer(value: unknown, question: AskedForm): GivenAnswer {
  const { shape, scale = unitScale, labels } = question;
  const known = pick(value, keysOf[shape], labels);
  const isScaled = shape === 'score' && scale !== unitScale && known !== undefined;
  const scaled = isScaled ? bringToUnit(known, scale) : known;
  const parsed = judgeAnswerSchemas[shape].safeParse(scaled);
  if (parsed.success) return { answer: parsed.data };
  const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'not as asked for' };
  if (isScaled && path[0] === 'score')
    return { fault: `"score" must be a number from ${scale.least} to ${scale.most}` };
  if (path[0] === 'label') return { fault: '"label" must be one of the labels that were given' };
  return { fault: `${path.length > 0 ? `"${path.join('.')}": ` : ''}${message}` };
}

/**
 * Picks the known keys of an object, and of those in its list of checks. Verdicts are put in small letters, and labels
 * in the letters of the question, as they were requested.
 */
function pick(value: unknown, keys: readonly string[], labels?: readonly string[]): Said | undefined {
  if (!isContainer(value) || Array.isArray(value)) return undefined;
  const own = keys.filter((key) => Object.hasOwn(value, key));
  return Object.fromEntries(own.map((key) => [key, clean(key, (value as Said)[key], labels)]));
}

const checkKeys = ['claim', 'reason', 'supported', 'passage'];

function clean(key: string, value: unknown, labels: readonly string[] = []): unknown {
  if (key === 'label') return labels.find((label) => plain(label) === plain(value));
  if ((key === 'verdict' || key === 'better') && typeof value === 'string') return value.trim().toLowerCase();
  return key === 'checks' && Array.isArray(value) ? value.map((each) => pick(each, checkKeys)) : value;
}

function bringToUnit(
  given: Readonly<Record<string, unknown>>,
  { least, most }: NonNullable<JudgeQuestion['scale']>,
): Readonly<Record<string, unknown>> {
  const { score } = given;
  if (typeof score !== 'number') return given;
  return { ...given, score: (score - least) / (most - least), given: { score, least, most } };
}

/**
 * Returns the fault of the quote that a verdict rests on: it is missing where one is required, or its words are not in the
 * parts that may be quoted. Letter case, white space, quotation marks and marks of emphasis do not count; `…` means words
 * that are missing. The fault does not repeat the quote, since it is sent to the judge outside the material.
 */
export function findQuoteFault(
  { quote, verdict }: AnswerOf<'quoted-verdict'>,
  { quotes, material }: Pick<JudgeQuestion, 'quotes' | 'material'>,
): string | undefined {
  if (quotes === undefined) return undefined;
  const pieces = quotePieces(quote);
  if (pieces.length === 0) {
    return quotes.for.includes(verdict) ? `a "${verdict}" needs a \`quote\` that shows it` : undefined;
  }
  const parts = material.filter(({ title }) => quotes.from.includes(title));
  if (parts.some(({ text }) => containsPieces(text, pieces))) return undefined;
  const where =
    parts.length === 0 ? 'anything that may be quoted' : parts.map(({ title }) => title).join(', ');
  return `the quote does not stand in ${where}; copy it word for word`;
}

type Said = Readonly<Record<string, unknown>>;

const verdictWords: Readonly<Record<string, string>> = {
  yes: restatements.verdict[0],
  no: restatements.verdict[1],
};
const preferenceWords: Readonly<Record<string, string>> = {
  first: restatements.preference[0],
  second: restatements.preference[1],
  tie: restatements.preference[2],
};

/** The key of the verdict, by shape. */
const verdictKeys: Readonly<Partial<Record<AnswerShape, 'score' | 'verdict' | 'better' | 'label'>>> = {
  score: 'score',
  verdict: 'verdict',
  'quoted-verdict': 'verdict',
  preference: 'better',
  label: 'label',
};

/**
 * Returns what in an answer contradicts its verdict: `in_words`, which restates it, or another key with a verdict. The
 * reason is not examined: a score mentioned in a text is not necessarily the one given. The fault does not name a
 * score, which could lead the judge to it.
 */
function findContradiction(said: Said, question: AskedForm): string | undefined {
  const key = verdictKeys[question.shape];
  if (key === undefined) return undefined;
  const rival = findRival(said, key);
  if (rival !== undefined) return `"${rival.slice(0, 40)}" says another verdict than "${key}"`;
  const words = said['in_words'];
  if (words === undefined) return `"in_words" is missing, which says "${key}" again`;
  if (typeof words !== 'string') return '"in_words" must be a text';
  if (matches(words.trim().toLowerCase(), said[key], question)) return undefined;
  return `"${key}" and "in_words" do not say the same`;
}

function matches(
  words: string,
  verdict: unknown,
  { shape, scale = unitScale, labels = [] }: AskedForm,
): boolean {
  if (shape === 'label') {
    const place = labels.findIndex((label) => plain(label) === plain(verdict));
    return words.replace(/\.$/, '') === restateLabel(place);
  }
  if (shape === 'score') {
    const place = (Number(verdict) - scale.least) / (scale.most - scale.least);
    return fitsWord(words, place);
  }
  const expected = shape === 'preference' ? preferenceWords : verdictWords;
  return expected[plain(verdict)] === words.replace(/\.$/, '');
}

/**
 * Returns whether a word describes a position between 0 and 1. The ranges overlap, since the judge does not know their limits.
 */
function fitsWord(word: string, place: number): boolean {
  const slack = 1e-9;
  if (word === 'low') return place <= 0.5 + slack;
  if (word === 'high') return place >= 0.5 - slack;
  return word === 'middle' && place >= 0.25 - slack && place <= 0.75 + slack;
}

const verdictNames: ReadonlySet<string> = new Set([
  'score',
  'verdict',
  'rating',
  'grade',
  'better',
  'decision',
]);
const labelNames: ReadonlySet<string> = new Set([...verdictNames, 'label', 'choice']);

/** Returns a key next to the verdict that states a different verdict. */
function findRival(said: Said, own: string): string | undefined {
  const names = own === 'label' ? labelNames : verdictNames;
  return Object.keys(said).find((key) => {
    if (key === own) return false;
    const name = key
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '')
      .replace(/^(?:final|overall|total|my|the|true|real|actual|correct|judge)+/, '');
    return names.has(name) && plain(said[key]) !== plain(said[own]);
  });
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value.trim().toLowerCase() : JSON.stringify(value);
}

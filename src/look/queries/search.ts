import { TouchstoneError } from '../../core/errors.ts';
import type { SearchHit, SearchLine } from '../../core/schema/api/search-hit.ts';
import { questionOf } from '../../core/schema/case.ts';
import type { Json } from '../../core/schema/json.ts';
import type { Result } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { whereOf } from './trials.ts';

/** The largest number of hits that a search returns before it ends. */
export const mostHits = 50;

/** The number of trials after each of which a search reports its progress. */
export const progressStep = 1_000;

/** A search in the texts of a run. */
export interface SearchQuery {
  /** The text to find; upper and lower case are alike. */
  readonly text: string;
  /** A filter, such as `passed=false`: only trials that match it are searched; all by default. */
  readonly where?: string;
  /** The `next` of the search before; the beginning of the run by default. */
  readonly after?: number;
  /** Ends the search without a last line, for a page that was closed. */
  readonly signal?: AbortSignal;
}

/**
 * Searches the questions, answers, messages, tool calls, documents and errors of a run, in the order of the plan. Yields one
 * hit for each trial as it is found, at most 50; after every 1,000 trials and at the end, the progress. There is no index, so a
 * search reads the records of all trials up to the last hit. Throws `usage-invalid` for an empty text or an invalid filter.
 */
export async function* searchTrials(
  store: Pick<Store, 'readColumns' | 'readResults'>,
  run: Pick<Run, 'id' | 'metrics'>,
  { text, where, after = -1, signal }: SearchQuery,
): AsyncGenerator<SearchLine> {
  const pattern = patternOf(text);
  const hasLeft = (): boolean => signal?.aborted === true;
  let [hits, searched] = [0, 0];
  for await (const trials of store.readColumns(run.id, { where: whereOf(where, run) })) {
    const ordinals = trials.map(({ ordinal }) => ordinal).filter((ordinal) => ordinal > after);
    if (hasLeft()) return;
    if (ordinals.length === 0) continue;
    for await (const result of store.readResults(run.id, ordinals)) {
      if (hasLeft()) return;
      const hit = findIn(result, pattern);
      searched += 1;
      if (hit !== undefined) {
        yield hit;
        hits += 1;
      }
      const isFull = hits === mostHits;
      if (isFull || searched % progressStep === 0) yield { next: result.trial.ordinal, searched };
      if (isFull) return;
    }
  }
  yield { next: null, searched };
}

function patternOf(text: string): RegExp {
  const wanted = text.trim();
  if (wanted === '') {
    throw new TouchstoneError('usage-invalid', 'There is no text to search for.', {
      remedy: 'Give at least one character.',
    });
  }
  const words = wanted.split(/\s+/u).map((word) => word.replaceAll(/[$()*+./?[\\\]^{|}]/gu, String.raw`\$&`));
  return new RegExp(words.join(String.raw`\s+`), 'iu');
}

function findIn(result: Result, pattern: RegExp): SearchHit | undefined {
  const { ordinal, caseId, target, attempt } = result.trial;
  for (const [place, text] of textsOf(result)) {
    const found = pattern.exec(text);
    if (found === null) continue;
    return { ordinal, caseId, target, attempt, place, match: found[0], ...surroundings(text, found) };
  }
  return undefined;
}

/** Yields the texts of a trial with their places: the question and the answer first, each text once. */
function* textsOf({ case: testCase, trial }: Result): Generator<[SearchHit['place'], string]> {
  yield ['question', questionOf(testCase)];
  if (trial.answer !== null) yield ['answer', trial.answer];
  for (const { content, toolCalls = [] } of trial.transcript) {
    if (content !== null) yield ['message', content];
    for (const call of toolCalls) {
      yield ['tool call', `${call.name} ${toText(call.arguments)}`];
      yield ['tool result', call.error ?? toText(call.result)];
    }
  }
  for (const document of trial.documents ?? []) yield ['document', toText(document)];
  if (trial.error !== undefined) yield ['error', `${trial.error.code}: ${trial.error.message}`];
}

function toText(value: Json | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The number of characters that are shown on each side of a match. */
const shown = 60;

function surroundings(
  text: string,
  { 0: match, index }: RegExpExecArray,
): Pick<SearchHit, 'before' | 'after'> {
  const end = index + match.length;
  const before = text.slice(Math.max(0, index - shown), index).toWellFormed();
  const after = text.slice(end, end + shown).toWellFormed();
  return {
    before: index > shown ? `…${before}` : before,
    after: end + shown < text.length ? `${after}…` : after,
  };
}

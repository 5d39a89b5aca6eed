import { z } from 'zod';
import { readTrial } from '../../../library/api/records.ts';
import { withStore } from '../../../library/api/open-store.ts';
import { findRun } from '../../../look/queries/runs.ts';
import { inputMessages } from '../../../core/schema/trial.ts';
import { outcomeOfTrial, type Result } from '../../../core/schema/result.ts';
import type { Judgement } from '../../../core/schema/judgement.ts';
import type { Message, ToolCall as BotCall } from '../../../core/schema/message.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Store } from '../../../stores/store.ts';
import { lengthOf, type Reply } from '../fit-reply.ts';
import { findNamed, idOf, named, quote, showBeginning, type Source } from '../quote.ts';
import { defineTool, longestReply, runInput } from '../tool.ts';
import { describeVerdict, expectedText } from './failed-cases.ts';

/** `show_case`: one trial in full, in parts where it is long. */
export const showCase = defineTool({
  name: 'show_case',
  description:
    'One question of a run in full: what is expected, the transcript with tool calls, verdicts, and what judges were asked and said. Long ones come in parts: call again with offset set to next.',
  input: z.strictObject({
    run: runInput.default('latest'),
    case: z.string().min(1).max(2000),
    target: z.string().max(500).optional(),
    attempt: z.int().min(1).default(1),
    part: z.enum(['all', 'transcript', 'verdicts', 'judgements']).default('all'),
    offset: z.int().min(0).default(0).describe('The next of the part before.'),
  }),
  output: ['run', 'case', 'target', 'attempt', 'outcome', 'pieces', 'next'],
  limit: longestReply,
  call: async ({ run: name, case: given, target, attempt, part, offset }, call) =>
    await withStore(await call.project.store(), async (store) => {
      const run = await findRun(store, name);
      const id = await findCase(run, given, store);
      const wanted =
        target === undefined
          ? undefined
          : findNamed(
              target,
              run.targets.map((one) => one.name),
            );
      const trial = await readTrial(run.id, id, { store, target: wanted, attempt });
      const beside = describeTrial(run, trial);
      const pieces = piecesOf(trial, part);
      return { ...beside, ...takePieces(pieces, offset, longestReply - lengthOf(beside) - spare) };
    }),
});

/** The characters reserved for the notice, the names of members and the place of the next part. */
const spare = 400;

/** Finds the id of a case whose hash was given. */
async function findCase(run: Run, given: string, store: Store): Promise<string> {
  if (!given.startsWith('#')) return given;
  for await (const some of store.readCaseNames(run.id)) {
    const found = findNamed(
      given,
      some.map(({ id }) => id),
    );
    if (found !== given) return found;
  }
  return given;
}

type WholeTrial = Result & { readonly judgements: readonly Judgement[] };

function describeTrial(run: Run, result: WholeTrial): Reply {
  const { trial, case: asked, scorecard } = result;
  const { id, called } = named('dataset', asked.id);
  return {
    run: run.id,
    case: id,
    called,
    target: idOf(trial.target),
    attempt: trial.attempt,
    attempts: run.attempts,
    outcome: outcomeOfTrial(run, result),
    ...(typeof scorecard?.total === 'number' && { total: Number(scorecard.total.toFixed(4)) }),
    cost: trial.cost,
    ...(trial.latency !== undefined && { latencyMs: Math.round(trial.latency.totalMs) }),
  };
}

/** A text of a trial, with its kind. */
interface Piece {
  readonly kind: string;
  readonly from: Source;
  readonly text: string;
  readonly about?: Reply;
}

/** Lists the texts of a trial in the order in which they are read. */
function piecesOf(result: WholeTrial, part: string): Piece[] {
  const isWanted = (name: string) => part === 'all' || part === name;
  return [
    ...(part === 'all' ? [expectedPiece(result)] : []),
    ...(isWanted('transcript') ? transcriptPieces(result) : []),
    ...(isWanted('verdicts') ? verdictPieces(result) : []),
    ...(isWanted('judgements') ? result.judgements.flatMap(judgementPieces) : []),
  ];
}

function expectedPiece({ case: asked }: WholeTrial): Piece {
  return { kind: 'expected', from: 'dataset', text: expectedText(asked.expected) };
}

function transcriptPieces({ case: asked, trial }: WholeTrial): Piece[] {
  const given = inputMessages(asked.input).length;
  const said = trial.transcript.flatMap((message, index) =>
    messagePieces(message, index < given ? 'dataset' : undefined),
  );
  const { error, documents = [], logs, state } = trial;
  return [
    ...said,
    ...(error === undefined
      ? []
      : [{ kind: 'error', from: 'bot' as const, text: error.message, about: { code: idOf(error.code) } }]),
    ...documents.map(
      ({ id, text = '' }): Piece => ({ kind: 'document', from: 'tool', text: `${id}\n${text}` }),
    ),
    ...(state === undefined ? [] : [{ kind: 'state', from: 'bot' as const, text: JSON.stringify(state) }]),
    ...(logs === undefined || logs === '' ? [] : [{ kind: 'logs', from: 'bot' as const, text: logs }]),
  ];
}

function messagePieces({ role, content, reasoning, toolCalls = [] }: Message, given?: Source): Piece[] {
  const from = given ?? (role === 'tool' ? 'tool' : 'bot');
  return [
    ...(reasoning === undefined ? [] : [{ kind: 'reasoning', from, text: reasoning }]),
    ...(content === null || content === ''
      ? []
      : [{ kind: 'message', from, text: content, about: { role } }]),
    ...toolCalls.flatMap((each) => callPieces(each, from)),
  ];
}

function callPieces({ name, arguments: given, result }: BotCall, from: Source): Piece[] {
  const about = { tool: idOf(name) };
  return [
    { kind: 'tool-call', from, text: asText(given), about },
    ...(result === undefined
      ? []
      : [{ kind: 'tool-result', from: 'tool' as const, text: asText(result), about }]),
  ];
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function verdictPieces({ verdicts }: WholeTrial): Piece[] {
  return Object.entries(verdicts).map(([metric, verdict]) => {
    const { reason, ...about } = describeVerdict(metric, verdict, 0);
    const text = verdict.status === 'scored' ? (verdict.explanation ?? '') : verdict.reason;
    const from = (reason as { readonly from?: Source } | undefined)?.from ?? 'dataset';
    return { kind: 'verdict', from, text, about };
  });
}

function judgementPieces({ judge, question, outcome, calls }: Judgement): Piece[] {
  const about = {
    judge: idOf(judge.name),
    question: idOf(question.id),
    sample: question.sample,
    status: outcome.status,
  };
  return calls.flatMap(({ prompt, reply, reasoning, error }): Piece[] => [
    ...prompt.map(
      ({ role, content }): Piece => ({
        kind: 'judge-prompt',
        from: 'dataset',
        text: content,
        about: { ...about, role },
      }),
    ),
    ...(reasoning === undefined
      ? []
      : [{ kind: 'judge-reasoning', from: 'judge' as const, text: reasoning, about }]),
    ...(reply === null ? [] : [{ kind: 'judge-reply', from: 'judge' as const, text: reply, about }]),
    ...(error === undefined
      ? []
      : [{ kind: 'judge-error', from: 'judge' as const, text: error.message, about }]),
  ]);
}

/** Takes the pieces from a place on, in characters of all texts one after the other and one for each piece, as far as there is room. */
function takePieces(pieces: readonly Piece[], offset: number, room: number): Reply {
  const taken: Reply[] = [];
  let [place, left] = [0, room];
  for (const piece of pieces) {
    const [start, end] = [place, place + piece.text.length + 1];
    place = end;
    if (end <= offset) continue;
    const begin = Math.max(0, offset - start);
    const { shown, length } = showPiece(piece, begin, left);
    if (shown === undefined) return { pieces: taken, next: start + begin };
    taken.push(shown);
    left -= lengthOf(shown) + 1;
    if (begin + length < piece.text.length) return { pieces: taken, next: start + begin + length };
  }
  return { pieces: taken, next: null };
}

/** The least room for a piece that is begun: a shorter beginning would say nothing. */
const leastRoom = 1000;

/** Shows as much of a piece from a place on as there is room for; undefined where that is next to nothing. */
function showPiece({ kind, from, text, about }: Piece, begin: number, room: number) {
  const rest = text.slice(begin);
  const describe = (most: number): Reply => ({
    kind,
    ...about,
    ...(begin > 0 && { goesOn: true }),
    ...(rest !== '' && { says: quote(from, rest, most) }),
  });
  if (rest.length <= room && showBeginning(rest, room).taken === rest.length) {
    const whole = describe(room);
    if (lengthOf(whole) <= room) return { shown: whole, length: rest.length };
  }
  if (room < leastRoom) return { shown: undefined, length: 0 };
  // Escapes make a text longer in JSON: it is cut until it fits.
  let most = room;
  let shown = describe(most);
  for (let length = lengthOf(shown); length > room; length = lengthOf(shown)) {
    most = Math.max(1, Math.floor(((most * room) / length) * 0.98) - 10);
    shown = describe(most);
  }
  return { shown, length: showBeginning(rest, most).taken };
}

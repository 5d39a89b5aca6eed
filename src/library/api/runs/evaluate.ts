import { TouchstoneError } from '../../../core/errors.ts';
import type { Config } from '../../config/config.ts';
import { type LoadedRules, toRules } from '../../config/load-rules.ts';
import { createAttachmentReader } from '../../../evaluate/datasets/attachments/read-attachments.ts';
import { attachmentKinds } from '../../../core/schema/message.ts';
import { draftCase } from '../../../evaluate/datasets/draft-case.ts';
import { createFieldMapping } from '../../../evaluate/datasets/field-mapping.ts';
import { createLocalExecutor } from '../../../evaluate/executors/local.ts';
import type { JudgementCache } from '../../../evaluate/judges/judge.ts';
import { withoutAnyUndefined } from '../../../core/lib/objects.ts';
import { randomId } from '../../../core/lib/random-id.ts';
import { callTarget } from '../../../evaluate/run/call/call-target.ts';
import type { KeepBlob } from '../../../evaluate/run/call/keep-files.ts';
import { openParticipants } from '../../../evaluate/run/participants.ts';
import { loadCases, type LoadedCase } from '../../../evaluate/run/prepare/load.ts';
import { neverStopped } from '../../../evaluate/run/run-needs.ts';
import { score } from '../../../evaluate/run/scoring/score.ts';
import { describeUnchecked } from '../../../core/schema/run.ts';
import { createExpectationCounter } from '../../../decide/gate/unread-expectations.ts';
import type { Judgement } from '../../../core/schema/judgement.ts';
import type { CasedTrial, Result } from '../../../core/schema/result.ts';
import { readReply } from '../../../evaluate/targets/read-reply.ts';

/** The rules by which a response is scored: the rules of a config, each as in the config by default. */
export interface EvaluateOptions
  extends Pick<Config, 'scorecard' | 'metrics' | 'judge' | 'judgeSamples' | 'embedder' | 'unread'> {
  /** The folder that relative paths start from; the current one by default. */
  readonly folder?: string;
}

/** The score of a response, with all questions to judges and their answers. */
export type Evaluated = Result & {
  readonly judgements: readonly Judgement[];
  /**
   * Expectations of the row that nothing reads, in the words of a run's headline: the score does not cover it, and the gate of a
   * run would not be measured. Empty when the score covers all.
   */
  readonly unread: readonly string[];
};

const source = 'response';
const timeLimitMs = 60_000;

/**
 * Scores one response by the rules of a run, without a run: no target is called and nothing is stored; judges are asked.
 * @param response - A text, or an object as a bot replies: `{ answer, tool_calls, documents, … }`.
 * @param row - The question, or a row as a dataset has it: the question with what a good answer holds.
 * @returns The verdict of every metric and the score. If the response is not valid, the trial says why.
 * @throws TouchstoneError for what is wrong with the row or the rules.
 */
export async function evaluate(
  response: unknown,
  row: string | object,
  { folder = process.cwd(), ...settings }: EvaluateOptions = {},
): Promise<Evaluated> {
  const written = { ...settings, dataset: source, targets: [{ use: source }] };
  const rules = await toRules({ written, folder });
  const loaded = await readCase(row, rules);
  const files = new Map<string, Uint8Array>();
  const trial = await recordResponse(response, loaded, files);
  const judgements: Judgement[] = [];
  await using _participants = await openParticipants({ targets: [], metrics: rules.metrics });
  const needs = {
    executor: createLocalExecutor(),
    signals: neverStopped,
    judgements: keeperIn(judgements),
    readBlob: async (hash: string) => files.get(hash) ?? (await readGiven(loaded, hash)),
  };
  const [[scored] = []] = await Array.fromAsync(score(oneBatch(trial), rules, needs));
  const evaluated = { ...(scored as Result), judgements, unread: findUnread(loaded, rules) };
  // As in a result that was stored, what is not there is no member.
  return withoutAnyUndefined(evaluated) as Evaluated;
}

async function readGiven({ attachments = [] }: LoadedCase, hash: string): Promise<Uint8Array> {
  const found = attachments.find((file) => file.hash === hash);
  if (found !== undefined) return await found.read();
  throw new TouchstoneError(
    'blob-changed',
    `The file with the hash ${hash.slice(0, 12)}… is neither one of the question nor of the response.`,
  );
}

function findUnread(
  loaded: LoadedCase,
  { metrics, unread, caseChecks }: Pick<LoadedRules, 'metrics' | 'unread' | 'caseChecks'>,
): string[] {
  const counter = createExpectationCounter(caseChecks.readsOf);
  counter.add(loaded);
  return describeUnchecked({ dataset: counter.finish(), metrics, unread });
}

async function readCase(
  row: string | object,
  { caseChecks }: Pick<LoadedRules, 'caseChecks'>,
): Promise<LoadedCase> {
  const place = { file: 'case' };
  const value = typeof row === 'string' ? { question: row } : row;
  const folder = process.cwd();
  const readAttachments = createAttachmentReader({ folder, configFolder: folder });
  const draft = draftCase(
    { value, place, locate: () => place },
    { mapping: createFieldMapping(), hasTextCells: false },
  );
  const dataset = {
    sources: ['the question'],
    async *drafts() {
      yield await readAttachments(draft);
    },
  };
  const [loaded] = await Array.fromAsync(loadCases(dataset, { onNotice: () => {}, caseChecks }));
  return loaded as LoadedCase;
}

/** The latency is unknown, since the response was given before. */
async function recordResponse(
  response: unknown,
  { case: testCase, hash }: LoadedCase,
  files: Map<string, Uint8Array>,
): Promise<CasedTrial> {
  const key = randomId();
  const spec = { key, case: testCase, caseHash: hash, ordinal: 0, target: source, attempt: 1, seed: 0 };
  const call = async () => ({ latency: null, ...readReply(response) });
  const target = { takes: attachmentKinds, call };
  const keepBlob: KeepBlob = async (blob) => void files.set(blob.hash, await blob.read());
  return await callTarget(spec, target, { timeLimitMs, maxRetries: 0, abort: neverStopped.abort, keepBlob });
}

function keeperIn(judgements: Judgement[]): JudgementCache {
  return {
    findOrAsk: async (_key, ask) => await ask(),
    keep: async (draft) => {
      const judgement = { id: randomId(), ...draft, askedIn: source };
      judgements.push(judgement);
      return judgement;
    },
  };
}

async function* oneBatch(trial: CasedTrial): AsyncGenerator<readonly CasedTrial[]> {
  yield [trial];
}

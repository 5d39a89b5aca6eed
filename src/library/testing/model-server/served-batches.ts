import type { Json } from '../../../core/schema/json.ts';

/** The script of the server for batches. */
export interface BatchScript {
  /** The looks at a batch before it has ended: its clock. 1 by default. */
  readonly checks?: number;
  /** The share of requests that are answered before a batch expires; 1 by default. */
  readonly answered?: number;
  /** The fault for which a batch is not worked on. */
  readonly fault?: string;
  /** Every so manieth request is answered with an error of that status. */
  readonly errors?: { readonly every: number; readonly status: number };
  /** Returns the message with which a request is refused as a bad one; undefined for one that is taken. */
  readonly refuse?: (body: { readonly [key: string]: Json }) => string | undefined;
  /** Results come in another order, and each a second time. */
  readonly isShuffled?: boolean;
  /** The results of Gemini come without the names of their requests. */
  readonly isNameless?: boolean;
  /** So many readings of results are cut off in the middle. */
  readonly cutReadings?: number;
  /** So many submissions are refused with 429. */
  readonly refusals?: number;
  /** Called before (`false`) and after (`true`) a request of a batch API has had its effect; before its reply is sent. */
  readonly onRequest?: (name: string, isDone: boolean) => Promise<void>;
}

/** A request of a batch. */
export interface ServedRequest {
  readonly id: string;
  readonly body: { readonly [key: string]: Json };
}

/** A batch at the server. */
export interface ServedBatch {
  readonly id: string;
  readonly api: 'openai' | 'anthropic' | 'mistral' | 'gemini';
  readonly createdAt: number;
  /** The address at which it was submitted. */
  readonly origin: string;
  readonly requests: readonly ServedRequest[];
  /** The file of the requests, and the name that the client gave it. */
  readonly file?: string;
  readonly metadata: { readonly [key: string]: Json };
  checks: number;
  isCancelled: boolean;
}

/** The batches of a server, as a test sees them. */
export interface ServedBatches {
  readonly jobs: readonly ServedBatch[];
  /** The names of files that are there now. */
  readonly files: readonly string[];
  /** The number of times that each request was answered and is paid for, in whichever batch, by its name. */
  readonly billed: ReadonlyMap<string, number>;
  /** Replaces the script. */
  play(script: BatchScript): void;
}

/** The batches and files that the server has. */
export interface BatchBoard {
  readonly jobs: Map<string, ServedBatch>;
  readonly files: Map<string, { readonly name: string; readonly text: string }>;
  readonly billed: Map<string, number>;
  script: BatchScript;
  cuts: number;
  refusals: number;
}

/** Creates an empty board. */
export function createBatchBoard(): BatchBoard {
  return { jobs: new Map(), files: new Map(), billed: new Map(), script: {}, cuts: 0, refusals: 0 };
}

/** Returns what a test sees of a board. */
export function viewOfBoard(board: BatchBoard): ServedBatches {
  return {
    get jobs() {
      return [...board.jobs.values()];
    },
    get files() {
      return Array.from(board.files.values(), ({ name }) => name);
    },
    billed: board.billed,
    play: (script) => {
      board.script = script;
      board.cuts = script.cutReadings ?? 0;
      board.refusals = script.refusals ?? 0;
    },
  };
}

/** Returns whether a batch has ended, by its clock. */
export function hasEnded({ script }: BatchBoard, { checks, isCancelled }: ServedBatch): boolean {
  return isCancelled || script.fault !== undefined || checks >= (script.checks ?? 1);
}

/** Returns the number of requests of a batch that are answered in the end. */
export function answeredOf({ script }: BatchBoard, { api, requests, isCancelled }: ServedBatch): number {
  if (script.fault !== undefined) return 0;
  if (isCancelled) return Math.floor(requests.length / 2);
  const answered = Math.floor(requests.length * (script.answered ?? 1));
  // What expires at Gemini has no results.
  return api === 'gemini' && answered < requests.length ? 0 : answered;
}

/** An error with which a request is answered. */
export interface ServedError {
  readonly status: number;
  readonly message: string;
}

/** Returns the error with which a request is answered; undefined for one that is answered. */
export function errorOf(
  { script: { errors, refuse } }: BatchBoard,
  { requests }: ServedBatch,
  index: number,
): ServedError | undefined {
  const refused = refuse?.(requests[index]?.body ?? {});
  if (refused !== undefined) return { status: 400, message: refused };
  const isDue = errors !== undefined && index % errors.every === errors.every - 1;
  return isDue ? { status: errors.status, message: 'scripted' } : undefined;
}

/** Notes, once for each batch, which requests are paid for. */
export function billOf(board: BatchBoard, job: ServedBatch): void {
  if (billedJobs.has(job)) return;
  billedJobs.add(job);
  const answered = answeredOf(board, job);
  for (const [index, { id }] of job.requests.entries()) {
    if (index < answered && errorOf(board, job, index) === undefined)
      board.billed.set(id, (board.billed.get(id) ?? 0) + 1);
  }
}

const billedJobs = new WeakSet<ServedBatch>();

/**
 * Every kind of error that stops Touchstone, with what the user can do about it. The remedy here is the general one; a
 * throw site that knows more passes its own.
 */
export const errorRemedies = {
  'usage-invalid': 'See `touchstone --help`.',
  'config-not-found':
    'Run `touchstone init` to create one, or name one: `touchstone run path/to/touchstone.config.ts`.',
  'config-unreadable': 'Fix the file; the message shows where it could not be read further.',
  'config-invalid':
    'Fix the settings named above; an editor completes them with `defineConfig` or the JSON Schema.',
  'extension-unknown':
    'Use one of the known names, or import your own into a TypeScript or JavaScript config.',
  'scorecard-weights': 'Give the criteria weights that add up to 1.',
  'dataset-not-found': 'Check the path or the glob; paths in a config are relative to the config file.',
  'dataset-unreadable': 'Check that the file is a readable UTF-8 text file.',
  'dataset-format': 'Use .jsonl, .json, .csv, .xlsx or .yaml, or set the format with the `format` setting.',
  'dataset-invalid': 'Fix the rows named above and run again; nothing was called.',
  'dataset-empty': 'Add at least one question; a run over nothing would prove nothing.',
  'case-not-found': 'Name a question by its id, as reports show it.',
  'case-duplicate':
    'Give each question an id of its own, or remove one of the two rows; or leave such rows out with `--skip-duplicates`.',
  'target-invalid': 'Check the target settings.',
  'target-unreachable': 'Start the target, or correct its address; no question was sent.',
  'proxy-invalid':
    'Write it as in `HTTPS_PROXY=http://proxy.example.com:3128`; `TOUCHSTONE_PROXY=off` goes without a proxy.',
  'target-closed': 'Run the same command again; what was answered is stored.',
  'cassette-invalid': 'Record it: `touchstone run --tools record`.',
  'matcher-invalid':
    'Correct the matcher; write `{ "$exact": … }` around a value whose own keys begin with `$`.',
  'model-invalid': 'Check the model settings.',
  'model-unreachable': 'Start the model server, or correct `baseUrl`; nothing was asked.',
  'judge-missing':
    'Set `judge` in the config, such as `judge: { use: openai-chat, model: gpt-5-mini }`; nothing was called.',
  'embedder-missing':
    'Set `embedder` in the config, such as `embedder: { use: openai-embeddings, model: text-embedding-3-small }`.',
  'grouping-unreadable': 'Group the notes by hand on the page, or with `--embed`; no note is lost.',
  'mode-too-small': 'Read more conversations, and mark them; nothing was written.',
  'too-few-labels': 'Label more answers: `touchstone review create --rubric NAME`.',
  'labels-spent': 'Label 100 more answers; judges were tried on these labels as often as they allow.',
  'user-missing':
    'Set `user` in the config, such as `user: { use: openai-chat, model: gpt-5-mini }`; nothing was called.',
  'package-missing': 'Install the package named above alongside touchstone.',
  'login-failed':
    'Check what the message quotes: the command that prints the key, or the address and the secrets of the log-in. Nothing was asked.',
  'environment-missing': 'Set the environment variable and run again.',
  'run-not-found': 'List the runs with `touchstone runs`.',
  'judge-not-found': 'List the judges on the page Judges of `touchstone view`.',
  'worker-unfit':
    'Give the worker the config, the files and the version of Touchstone that the run was started with.',
  'run-held': 'Release it first, if that is allowed: `touchstone server hold RUN --tag TAG --release`.',
  'batch-pending': 'Continue the run later: `touchstone run --resume RUN`.',
  'run-in-progress': 'Wait until it ends, or stop it with Ctrl-C.',
  'cost-over-limit': 'Ask for less, or have a person run it: `touchstone run --max-cost USD`.',
  'edit-refused': 'Open the question again; nothing was written.',
  'asking-refused': 'Try the command that the page shows; `touchstone doctor` looks at the project.',
  'run-stopped': 'Run the same command again.',
  'run-not-whole': 'Start a new run, and remove this one: `touchstone delete RUN`.',
  'run-not-resumable': 'Start a new run, or undo the change; no answer is lost.',
  'nothing-failed': 'Run the whole set, without `--failed`; or name another run: `--failed RUN`.',
  'baseline-not-found': 'Make one of a run: `touchstone baseline set NAME RUN`.',
  'baseline-unreadable': 'Write it anew: `touchstone baseline export NAME FILE`.',
  'document-unreadable': 'Name a folder, or files that end in .md, .txt or .jsonl.',
  'rubric-not-found':
    'Declare it under `rubrics` in the config, or name a file: `--rubric rubrics/tone.yaml`.',
  'token-not-found': 'List the tokens with `touchstone server tokens`.',
  'not-signed-in': 'Sign in, or send a token: `Authorization: Bearer ts_…`.',
  'review-not-found': 'List the review tasks with `touchstone review list`.',
  'review-invalid': 'Change the settings named above; nothing was stored.',
  'label-refused': 'Continue with the next item.',
  'mode-conflict': 'List the modes: `touchstone modes`; nothing was stored.',
  'not-drawn': 'Draw what is read: `touchstone review create --notes`.',
  'label-conflict': 'Keep the records of this store, or import the file into another one with `--store`.',
  'feedback-refused': 'Correct the record; or give another reaction an id of its own.',
  'trace-not-found': 'List the traces with `touchstone traces list`.',
  'proposal-not-found': 'List the proposals with `touchstone proposals list`.',
  'proposal-refused': 'Read the proposal again: `touchstone proposals show ID`.',
  'proposal-invalid': 'Correct the proposed question; nothing was stored.',
  'look-refused': 'See how things stand: `touchstone referee status`.',
  'held-out':
    'A person may open the set with `touchstone referee open`, which ends it; other commands never read it.',
  'referee-ledger':
    'Restore the folder of the held-out set from a copy that is whole; without one, begin a new set: `touchstone referee init`.',
  'queue-unreachable': 'Start the server of the queue again, or correct `--queue`.',
  'store-not-found':
    'Name the folder that has the runs; without `--store` it is the one in the config, else .touchstone in this folder.',
  'store-unreadable': 'Check the folder and its permissions; `--store` names another.',
  'blob-changed': 'Run again when nothing writes to the file any more; nothing was called.',
  'store-damaged':
    'List the damage: `touchstone check`. Save the rest: `touchstone export RUN --salvage`. Or restore a copy of the store.',
  'store-version': 'Update Touchstone, or point `--store` at another folder.',
  'import-invalid': 'Import a file that `touchstone export` or a known tool wrote (docs/moving.md).',
  'push-refused': 'Read what the server says; the run is stored here.',
  'output-invalid': 'Use a file name that ends in .csv, .html, .json, .md, .parquet or .xml, or `github`.',
  'output-unwritable': 'Check the free space there, and that it can be written to.',
  'access-denied': 'Run `touchstone view` again, and open the address that it prints; each works once.',
  'request-invalid': 'Correct the address.',
  'request-too-large': 'Send fewer records at a time.',
  'content-unsupported': 'Send OTLP as application/json or application/x-protobuf, plain or with gzip.',
  'rate-limited': 'Wait a second, and send more records in each request.',
  'address-unknown': 'Go to the list of runs, at `/`.',
  'server-busy': 'Close pages of the dashboard that you do not need.',
  'dashboard-missing': 'Build it: `npm run build`.',
  'port-unavailable': 'Choose another with `--port`, or leave it out to get a free one.',
  'environment-unsupported': 'Install a current Node.js.',
} as const;

/** The code of one kind of error. It never changes, so scripts can rely on it. */
export type ErrorCode = keyof typeof errorRemedies;

/** The place of something in a user's file. Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** Options of a {@link TouchstoneError}. */
export interface TouchstoneErrorOptions {
  /** The action to take; the general remedy of the code by default. */
  readonly remedy?: string;
  readonly cause?: unknown;
}

/**
 * A mistake that the user can correct: wrong usage, a wrong configuration, an unusable dataset or target. It is printed
 * without a stack trace and ends the command line with exit code 4.
 */
export class TouchstoneError extends Error {
  override readonly name = 'TouchstoneError';
  readonly code: ErrorCode;
  readonly remedy: string;

  constructor(code: ErrorCode, message: string, options: TouchstoneErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.remedy = options.remedy ?? errorRemedies[code];
  }
}

/** Errors of Touchstone itself: its store cannot be used, or it has closed what it was asking. */
const ownCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'store-unreadable',
  'store-damaged',
  'store-version',
  'target-closed',
]);

/** Returns whether an error is Touchstone's own: it ends the work, and is never recorded as a failure of a bot or a judge. */
export function isOwnFault(thrown: unknown): thrown is TouchstoneError {
  return thrown instanceof TouchstoneError && ownCodes.has(thrown.code);
}

/** Formats a place the way editors and terminals make clickable: `file:line:column`. */
export function formatPlace(place: Place): string {
  return [place.file, place.line, place.column].filter((part) => part !== undefined).join(':');
}

/** Returns the message of anything that was thrown, even of a value that has no message or cannot be read. */
export function messageOf(thrown: unknown): string {
  try {
    return ownMessage(thrown) || `it threw ${describeThrown(thrown)}`;
  } catch {
    return 'it threw something that cannot be read';
  }
}

/** Returns the message of a value that may be an error of another realm; a message may be of any type. */
function ownMessage(thrown: unknown): string | undefined {
  if (typeof thrown === 'string') return thrown;
  const { message, name } = (thrown ?? {}) as { readonly message?: unknown; readonly name?: unknown };
  if (typeof message === 'string' && message !== '') return message;
  return thrown instanceof Error && typeof name === 'string' ? name : undefined;
}

/** Describes an object by its keys only: its values may be long, or secret. */
function describeThrown(thrown: unknown): string {
  if (thrown === '') return 'an empty text';
  if (typeof thrown === 'function') return 'a function';
  if (Array.isArray(thrown)) return `a list of ${thrown.length}`;
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const keys = Object.keys(thrown).slice(0, 12);
  if (keys.length === 0) return 'an empty object';
  return `an object with the ${keys.length === 1 ? 'key' : 'keys'} ${keys.join(', ')}`;
}

const errorHint =
  'Check that what the target depends on can be reached, how its tools handle errors, and that the data exist.';

/** The hints by error code; `errorHint` applies to all other codes. */
const errorHints: readonly (readonly [code: RegExp, hint: string])[] = [
  [
    /^http-status$/,
    'Look at the status: 401 and 403 are about the key, 404 about the address, 5xx about the server.',
  ],
  [/^connection-failed$/, 'The bot cannot be reached: start it, or correct its `url` in the config.'],
  [
    /^certificate-refused$/,
    'The certificate of the bot is not trusted. Where your own authority has signed it: NODE_EXTRA_CA_CERTS=/path/ca.pem, or NODE_USE_SYSTEM_CA=1; else renew it.',
  ],
  [
    /^stream-broken$/,
    'The bot stopped in the middle of its answer: look at its logs, and at time limits of proxies in front of it.',
  ],
  [/^unauthorized$/, 'Check the key that the target is called with, and its permissions.'],
  [/^login-failed$/, 'Run the log-in by itself: the message quotes what it answered.'],
  [
    /^timeout$/,
    'Check how long the target takes by itself, its time limit, and whether it gets too many questions at once.',
  ],
  [
    /^cut-off$/,
    'Raise `maxTokens` of the model, which counts its reasoning as well, or ask it for less reasoning.',
  ],
  [
    /^no-answer$/,
    'Look at a reply of the target by itself: does it return nothing, or a text under another name (`answer: …` in the target)?',
  ],
  [
    /^target-reported-error$/,
    'The target answers with an error in place of a text: start with its own logs.',
  ],
  [
    /^bad-request$/,
    'The message says what the provider refuses: a parameter can be omitted with `omit: […]` in the model.',
  ],
  [
    /^process-keeps-dying$/,
    'What the program printed before it ended is shown with the question: a package that it misses is to be installed. One that ends after each answer needs `mode: once`.',
  ],
  [
    /^process-(failed|exited)$/,
    'Start the program by itself, in the same folder, and see whether it answers.',
  ],
  [/^target-threw$/, 'The function threw: its message is above, and its place is shown with the question.'],
  [
    /^invalid-(reply|answer)$/,
    'Check the reply of the target, and the options that locate the answer in it.',
  ],
  [
    /^(rate-limited|quota-exhausted|overloaded)$/,
    'Lower the concurrency, or raise the limits of the account.',
  ],
];

/** Returns the hint for the most frequent error. */
export function errorHintFor(code: string): string {
  return errorHints.find(([pattern]) => pattern.test(code))?.[1] ?? errorHint;
}

/** The hints for metrics without a verdict, by the code of their failure. */
const hintsOfUnmeasured: ReadonlyMap<string, string> = new Map([
  [
    'tools-not-recorded',
    'Where do the replies list the tools used? Name the place with `toolCalls` in the target, or write `toolCalls: none` there for a bot without tools.',
  ],
  [
    'expectation-not-measured',
    'The questions expect something that the replies of the bot do not tell: open one to see what.',
  ],
  ['judge-timeout', 'The judge took too long: see whether its server answers, then `touchstone rescore`.'],
  ['judge-unreadable', 'The judge did not answer in the form that it was asked for: a larger model may.'],
  ['judge-cut-off', 'The judge was cut off: raise `maxTokens` of its model, then `touchstone rescore`.'],
  ['judge-refused', 'The provider of the judge refused to read the answers: try another judge.'],
]);

/** The hint for any other failure of a judge. */
const judgeHint =
  'See that the judge can be reached and its key is right; then `touchstone rescore` judges the stored answers again.';

/** Returns the hint for a metric without a verdict, by the code of its failure; empty when there is none. */
export function hintOfUnmeasured(code: string): string {
  const own = hintsOfUnmeasured.get(code) ?? '';
  return own === '' && code.startsWith('judge-') ? judgeHint : own;
}

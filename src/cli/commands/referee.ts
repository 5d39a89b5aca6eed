import { defineCommand } from '../program/define-command.ts';
import { argument, flag, Input, parsed, text } from '../program/input.ts';
import { points, share, wholeNumber } from '../program/parse-option.ts';
import { json } from '../program/shared-inputs.ts';

const config = text('<config>', 'config with the referee (default: the one in this folder)');

const heldOut = text(
  '<folder>',
  'the folder of the held-out set, on the machine of a job (default: from the config)',
);

const loadTexts = async () => await import('../texts/referee.ts');

/** Runs work that asks a bot: it can be stopped, and what the bot throws besides its answers ends nothing and is not printed. */
async function whileAsking<Result>(
  work: (signals: { readonly stop: AbortSignal; readonly abort: AbortSignal }) => Promise<Result>,
): Promise<Result> {
  const { listenForInterrupts } = await import('../interrupts.ts');
  const { surviveTargetFaults } = await import('../stray-faults.ts');
  const signals = listenForInterrupts((message) => console.error(message));
  const release = surviveTargetFaults(() => {});
  try {
    return await work(signals);
  } finally {
    release();
    signals.release();
  }
}

/** Asks before something that only people may do: there is no option that answers in their place. */
async function confirmByPerson(question: string, what: string): Promise<void> {
  const { confirm } = await import('../confirm.ts');
  await confirm({
    question,
    unasked: `Only a person at a terminal can ${what}.`,
    remedy: 'Run the same command in a terminal.',
    refused: 'Nothing was changed.',
  });
}

const init = defineCommand({
  name: 'init',
  description:
    'Makes the held-out set, and asks the incumbent: the target that later versions are compared with.',
  inputs: {
    questions: text(
      '<file>',
      'questions that the people who work on the bot have not seen, in any format of datasets',
    ),
    split: parsed('<share>', 'take a part of the working set instead, such as 40%', share),
    looks: parsed('<n>', "how often it may be asked about (default: the config's, 20)", wholeNumber(1, 1000)),
    incumbent: text('<target>', 'the target to compare with (default: the only one)'),
    heldOut,
    config,
    json,
  },
  run: async ({ json: isJson, ...choices }, output) => {
    const { initReferee } = await import('../../library/api/referee/init.ts');
    const { initText } = await loadTexts();
    const made = await whileAsking(async (signals) => await initReferee({ ...choices, signals }));
    await output.print(isJson, made, initText);
    return made.isOpen ? 2 : 0;
  },
});

/** `--no-regression`: true without the option, else the margin as a share. */
const noRegression = new Input<number | true>({
  syntax: '<points>',
  meaning: 'ask instead whether it loses less than so many points, such as 5',
  isNegated: true,
  parse: (given: string) => points(given),
});

const look = defineCommand({
  name: 'look',
  description:
    'Asks the held-out questions of a version, and says in one bit whether it is shown to be better than the incumbent.',
  inputs: {
    candidate: text('<target>', 'the target to look at (default: the only one that is not the incumbent)'),
    regression: noRegression,
    keepIncumbent: flag('leave the incumbent as it is, even when the candidate is confirmed'),
    withdraw: flag('give up a look that was stopped, which costs it'),
    config,
    json,
  },
  help: `
Examples:
  $ touchstone referee look                         is the new version better?
  $ touchstone referee look --no-regression 5       does it lose less than 5 points?

Exit codes:
  0  confirmed, or no loss shown
  3  not confirmed, or not shown
  2  no answer yet: the look was stopped; the same command goes on with it
  4  refused, and not counted: no look is left, or no answer could show it`,
  run: async ({ json: isJson, regression, keepIncumbent, withdraw, ...choices }, output) => {
    const { look: ask } = await import('../../library/api/referee/look.ts');
    const { lookText, lookExitCode } = await loadTexts();
    const report = await whileAsking(
      async (signals) =>
        await ask({
          ...choices,
          margin: regression === true ? undefined : regression,
          keepsIncumbent: keepIncumbent,
          withdraws: withdraw,
          signals,
        }),
    );
    await output.print(isJson, report, lookText);
    return lookExitCode(report);
  },
});

const status = defineCommand({
  name: 'status',
  description:
    'Shows how many looks are left, what they have answered, and the gain that the next would see.',
  inputs: { heldOut, config, json },
  run: async ({ json: isJson, ...choices }, output) => {
    const { refereeStatus } = await import('../../library/api/referee/status.ts');
    const { statusText } = await loadTexts();
    return await output.print(isJson, await refereeStatus(choices), statusText);
  },
});

const adopt = defineCommand({
  name: 'adopt',
  description: 'Makes the version that was confirmed last the incumbent, where a look left it as it was.',
  inputs: { heldOut, config, json },
  run: async ({ json: isJson, ...choices }, output) => {
    const { adoptConfirmed } = await import('../../library/api/referee/status.ts');
    const { adoptText } = await loadTexts();
    return await output.print(isJson, await adoptConfirmed(choices), adoptText);
  },
});

const refill = defineCommand({
  name: 'refill',
  description: 'Adds fresh questions to the held-out set, or begins a new set with them. For people only.',
  inputs: {
    questions: argument('<file>', 'questions that are in no working set, run, proposal or commit'),
    renew: flag('begin a new set of these alone; the old one is opened, for the working set'),
    heldOut,
    config,
    json,
  },
  run: async ({ json: isJson, renew, ...choices }, output) => {
    await confirmByPerson(
      renew === true
        ? 'Open the held-out set and begin a new one?'
        : 'Add these questions to the held-out set?',
      'refill a held-out set',
    );
    const { refillReferee } = await import('../../library/api/referee/refill.ts');
    const { refillText } = await loadTexts();
    const done = await whileAsking(
      async (signals) => await refillReferee({ ...choices, renews: renew, signals }),
    );
    await output.print(isJson, done, refillText);
    return done.isOpen ? 2 : 0;
  },
});

const open = defineCommand({
  name: 'open',
  description:
    'Opens the held-out set for reading, which ends it: it answers nothing any more. For people only.',
  inputs: { heldOut, config, json },
  run: async ({ json: isJson, ...choices }, output) => {
    await confirmByPerson('Open the held-out set? It answers nothing any more.', 'open a held-out set');
    const { openHeldOutSet } = await import('../../library/api/referee/refill.ts');
    const { openText } = await loadTexts();
    const folder = await openHeldOutSet(choices);
    return await output.print(isJson, { folder }, openText);
  },
});

const answer = defineCommand({
  name: 'answer',
  description:
    'Takes a look that waits on the server of the config: builds the bot from its commit, asks it, sends the answer.',
  inputs: {
    heldOut: heldOut.required(),
    build: text('<command>', 'what builds the bot in the checked-out commit, such as "npm ci"'),
    config,
    json,
  },
  help: `
A job that has the held-out set runs this in a clone of the repository. TOUCHSTONE_REFEREE_TOKEN
is a token of the scope run: \`touchstone server token job --scope run\`. Who asks has one of the
scope look alone.`,
  run: async ({ json: isJson, ...choices }, output) => {
    const { answerLook } = await import('../../library/api/referee/look-on-server.ts');
    const { look: take } = await import('../../library/api/referee/look.ts');
    const { answerText } = await loadTexts();
    const done = await whileAsking(
      async (signals) =>
        await answerLook({ ...choices, look: async (options) => await take({ ...options, signals }) }),
    );
    return await output.print(isJson, done ?? {}, answerText);
  },
});

const serve = defineCommand({
  name: 'serve',
  description: 'Answers looks on a socket, under the account that owns the held-out set, until Ctrl-C.',
  inputs: {
    socket: text('<path>', 'where other accounts ask: `heldOut: unix:PATH` in their config').required(),
    heldOut,
    config,
  },
  help: `
The config belongs to the referee: no other account may write it, since a config is code. Its
targets are asked over http; those that ask say which version that is.`,
  run: async (choices, output) => {
    const { serveReferee } = await import('../../library/api/referee/serve.ts');
    const { formatError } = await import('../print-error.ts');
    const onFault = (fault: unknown) => console.error(formatError(fault, false));
    await whileAsking(async ({ stop }) => {
      const served = await serveReferee({ ...choices, onFault });
      await output.write(`The referee listens on ${choices.socket}. Ctrl-C ends it.\n`);
      if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve));
      await served.close();
    });
    return 0;
  },
});

/** `touchstone referee`: a held-out set that says, with one bit and counted, whether a version is better. */
export const referee = defineCommand({
  name: 'referee',
  summary: 'ask questions held out from everybody whether a version is better',
  description:
    'Keeps questions that the people who work on the bot do not see, and says in one bit whether a version is better.',
  help: `
Examples:
  $ touchstone referee init --questions fresh.jsonl
  $ touchstone referee look                         one bit; 20 looks in the life of a set
  $ touchstone referee status

The config names the folder of the set, outside the repository:
  referee: { heldOut: ../acme-heldout, looks: 20, surprises: 3, confidence: 0.95 }
What it promises, and what it cannot: docs/referee.md.`,
  commands: [init, look, status, adopt, refill, open, answer, serve],
});

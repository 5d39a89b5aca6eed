import { agentClients, botKinds } from '../init/beginning.ts';
import { defineCommand } from '../program/define-command.ts';
import { argument, flag, inGroup, text } from '../program/input.ts';
import { json } from '../program/shared-inputs.ts';

/** `touchstone init [folder]`: a config, questions and a bot to start from, made of what is there already. */
export const init = defineCommand({
  name: 'init',
  summary: 'create a config, questions and a bot to start from',
  description:
    'Asks where your bot is and whether you have questions or answers, and writes a project to start from. Looks first for a project of another tool, which can be brought over. Replaces no file. Each question is also an option; without a terminal, with --yes or --json, nothing is asked, and what is not given is a sample.',
  inputs: {
    folder: argument('[folder]', 'the folder to create the files in; created if missing').default('.'),
    ...inGroup('Where is your bot?', {
      bot: text(
        '<where>',
        'at a web address, a program, a function, a model, or a sample to begin with',
      ).oneOf(botKinds),
      url: text('<address>', 'the address of the bot'),
      body: text('<json>', 'with --url: the JSON that it takes, such as \'{"question": "{{input}}"}\''),
      probe: flag('with --url: send it "Hello" once, and show where its answer is'),
      command: text('<command>', 'how the program is started: "python3 bot.py"'),
      once: flag('with --command: it is started for each question'),
      path: text('<file>', 'the file of the function: bot.ts, bot.py, bot.py:answer'),
      model: text('<name>', 'the name of the model: gpt-5-mini, anthropic:NAME'),
      target: text('<where>', 'the same as --bot').oneOf(botKinds).hidden(),
    }),
    ...inGroup('What else do you have?', {
      questions: text('<file>', 'your questions, in any format of a dataset'),
      answers: text(
        '<file>',
        'answers of a bot, recorded in a file: they are scored at once, no bot is needed',
      ),
      import: text('<file>', 'a project of another tool to bring over, such as promptfooconfig.yaml').orNot(
        'do not offer to bring over what another tool has left here',
      ),
    }),
    ...inGroup('Which coding agents work here?', {
      agents: text(
        '[names...]',
        'only write what they need, into any project: AGENTS.md, a skill, and the server of these',
      )
        .oneOf(agentClients)
        .orNot('a new project without these files'),
      dryRun: flag('with --agents: show what would change, as a diff'),
      remove: flag('with --agents: take back what it wrote'),
    }),
    save: flag('add touchstone-evals to the devDependencies of package.json'),
    yes: flag('ask nothing; what is not given is a sample').short('y'),
    json,
  },
  help: `
Examples:
  $ touchstone init my-eval                                       asks, and writes my-eval
  $ touchstone init my-eval --yes                                 a sample, and ten questions
  $ touchstone init --url http://127.0.0.1:8080/chat --probe      a bot that runs already
  $ touchstone init --command "python3 bot.py" --once --questions q.csv
  $ touchstone init --answers answers.csv                         the first number without a bot
  $ touchstone init my-eval --bot http                            a sample behind HTTP
  $ touchstone init --agents                                      what coding agents need, here
  $ touchstone init --agents claude cursor --dry-run

Ctrl-C ends it at any question, and nothing is written.`,
  run: async (input, output) => await (await import('../init/init-project.ts')).initProject(input, output),
});

import { defineCommand } from '../../program/define-command.ts';
import { argument, flag, text } from '../../program/input.ts';
import { json, runName, store } from '../../program/shared-inputs.ts';
import { storeOf } from '../../program/store-of.ts';

const record = defineCommand({
  name: 'record',
  summary: 'write what the tools of a run answered, to replay it',
  description:
    'Writes a cassette from a stored run: what its tools answered, question by question. `tools: { mode: replay, cassette }` replays it without any tool.',
  inputs: {
    run: runName,
    output: text('<file>', 'the cassette, such as cassettes/shop.jsonl').short('o').required(),
    config: text('<file>', 'a config whose `tools` say what to ignore (`match`) and to remove (`redact`)'),
    add: flag('keep the calls that the file has and the run has not made'),
    json,
    store,
  },
  help: `
Examples:
  $ touchstone tools record -o cassettes/shop.jsonl         from the last run
  $ touchstone tools record dwwq -o cassettes/shop.jsonl
  $ touchstone tools record --add --config . -o cassettes/shop.jsonl`,
  run: async ({ run, output: file, config, add: isAdding, ...flags }, output) => {
    const { recordTools } = await import('../../../library/api/project/record-tools.ts');
    const { formatPlural } = await import('../../../look/report/format.ts');
    const recorded = await recordTools(run, { file, isAdding, ...storeOf({ ...flags, config }) });
    return await output.print(
      flags.json,
      recorded,
      ({ calls }) =>
        `Wrote ${formatPlural(calls, 'call')} to ${file}. Replay them: touchstone run --tools replay\n`,
    );
  },
});

const check = defineCommand({
  name: 'check',
  summary: 'start the servers of tools, and list what they offer',
  description:
    'Starts or reaches every server of `tools` in the config, and lists its tools. No bot is asked.',
  inputs: {
    config: argument('[config]', 'a config file, or a folder with one (default: this folder)'),
    json,
  },
  help: `
Examples:
  $ touchstone tools check                                  the config in this folder`,
  run: async ({ config, json: isJson }, output) => {
    const { checkTools } = await import('../../../library/api/project/check-tools.ts');
    const servers = await checkTools(config);
    return await output.print(isJson, { servers }, () =>
      servers
        .map(({ name, tools }) => {
          const known = tools?.map((tool) => (tool.isReadOnly === true ? tool.name : `${tool.name}*`));
          return `${name}: ${known === undefined ? 'its tools cannot be listed' : known.join(', ')}\n`;
        })
        .join('')
        .concat('* may change things\n'),
    );
  },
});

/** `touchstone tools`: what stands between bots and their tools. */
export const tools = defineCommand({
  name: 'tools',
  summary: 'record the tools of a bot, list what servers offer',
  description:
    'Bots whose tools pass through Touchstone: seen, recorded, replayed, mocked, refused or broken. docs/tools.md',
  help: `
Examples:
  $ touchstone tools check              the servers of the config, with their tools
  $ touchstone run --tools record       record what the tools answer
  $ touchstone run --tools replay       and replay it without any tool`,
  commands: [record, check],
});

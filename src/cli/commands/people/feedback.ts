import { defineCommand } from '../../program/define-command.ts';
import { argument, flag, parsed, text } from '../../program/input.ts';
import { tag, wholeNumber } from '../../program/parse-option.ts';
import { json, store } from '../../program/shared-inputs.ts';

const loadApi = async () => await import('../../../library/api/feedback.ts');
const loadTexts = async () => await import('../../texts/feedback.ts');

const add = defineCommand({
  name: 'import',
  description:
    'Adds the feedback in a JSONL file, or in a table of another program, and skips records that are already stored.',
  inputs: {
    file: argument('<file>', 'JSONL, CSV, Excel or Parquet; `-` is standard input'),
    map: parsed<Readonly<Record<string, string>>>(
      '<field=column>',
      'of a table: the column that holds a field, such as traceId=trace_id; may be repeated',
      tag,
    ),
    set: parsed<Readonly<Record<string, string>>>(
      '<field=value>',
      'of a table: what all rows have in a field, such as signal=stars; may be repeated',
      tag,
    ),
    json,
    store,
  },
  run: async ({ file, json: isJson, ...choice }, output) => {
    const receipt = await (await loadApi()).importFeedback(file, choice);
    const { describeReceipt } = await loadTexts();
    await output.print(isJson, receipt, describeReceipt);
    return receipt.refused.length === 0 ? 0 : 2;
  },
});

const write = defineCommand({
  name: 'export',
  description: 'Writes all feedback to a JSONL file that can be imported again without loss.',
  inputs: {
    file: argument('<file>', 'such as feedback.jsonl; `-` is standard output'),
    salvage: flag('for a damaged store: write the intact records, and list the others'),
    store,
  },
  run: async (input, output) => {
    const { exportFeedback } = await loadApi();
    const { writeRecords } = await import('../../write-records.ts');
    return await writeRecords(exportFeedback, { ...input, what: 'feedback', output });
  },
});

const show = defineCommand({
  name: 'show',
  description: 'Summarizes feedback by category and period, with bounds for users who gave no feedback.',
  inputs: {
    by: text('<period>', 'the length of the periods').oneOf(['day', 'week', 'month']).default('week'),
    json,
    store,
  },
  run: async ({ json: isJson, ...choice }, output) => {
    const { describeSummary } = await loadTexts();
    return await output.print(isJson, await (await loadApi()).summarizeFeedback(choice), describeSummary);
  },
});

const list = defineCommand({
  name: 'list',
  description: 'Lists the newest feedback, with the answers it is about.',
  inputs: {
    limit: parsed('<n>', 'list at most this many records', wholeNumber(1)).default(50),
    json,
    store,
  },
  run: async ({ limit, ...input }, output) => {
    const { describeRecords } = await loadTexts();
    const all = await Array.fromAsync((await loadApi()).readFeedback({ store: input.store }));
    return await output.print(input.json, all.slice(-limit).toReversed(), describeRecords);
  },
});

const forgetUsers = defineCommand({
  name: 'forget-users',
  description:
    'Removes the key that user ids are hashed with, so that no hash can be traced back to a person.',
  inputs: { json, store },
  run: async (input, output) => {
    await (await loadApi()).forgetFeedbackUsers({ store: input.store });
    const said = 'Removed the key: no stored hash can be traced back to a user.\n';
    return await output.print(input.json, { forgotten: true }, () => said);
  },
});

/** `touchstone feedback`: what users thought of answers. */
export const feedback = defineCommand({
  name: 'feedback',
  summary: 'what users thought of the answers, and how many never said',
  description: 'Stores and summarizes user feedback: thumbs, stars, edits, escalations and outcomes.',
  help: `
Examples:
  $ touchstone feedback import reactions.jsonl    thumbs, stars, edits; skips what is stored already
  $ touchstone feedback import export.csv --map traceId=trace_id --map value=rating
  $ touchstone feedback show --by month           how many responded, and how
  $ touchstone feedback export reactions.jsonl    everything, for another store
  $ touchstone feedback list --limit 10
  $ touchstone view --ingest                      a server on this machine that takes feedback

The fields of a record, and what the numbers mean: docs/production.md.`,
  commands: [add, write, show, list, forgetUsers],
});

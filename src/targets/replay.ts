import { z } from 'zod';
import { readRecordedReply } from './replay/read-recorded-reply.ts';
import { recordParts, verdictColumns, withColumns } from './replay/record-aliases.ts';
import { type Recording, readRecording } from './replay/recording.ts';
import { defineTarget, type Target } from './target.ts';
import { abortedFailure } from './until-aborted.ts';

const options = () =>
  z.strictObject({
    path: z
      .string()
      .min(1)
      .describe(
        'A data file with answers, in any format that datasets come in; relative to the config file.',
      ),
    fields: z
      .record(z.string().min(1), z.enum(recordParts))
      .default({})
      .describe('Names of your columns and what they hold: `{ my_column: answer }`.'),
    target: z
      .string()
      .min(1)
      .optional()
      .describe('In an exported run of several targets, the one whose answers are meant.'),
    recorded: z
      .array(z.string().min(1))
      .default([...verdictColumns])
      .describe('Columns to keep beside the answer, such as a reward, for the metric `recorded-score`.'),
  });

/**
 * Answers that were recorded before, as a target: nothing is called. A row is found by the id of the case, else by
 * its question; a case without a recorded answer is not measured.
 */
export const replay = defineTarget({
  name: 'replay',
  version: 1,
  summary: 'Answers recorded in a file; nothing is called.',
  options,
  create: ({ path, fields, target, recorded }, { readRows }): Target => {
    const aliases = withColumns(fields);
    let recording: Promise<Recording> | undefined;
    const load = () => (recording ??= readRecording(readRows(path), { path, aliases, target }));
    return {
      holdsConversation: true,
      open: async () => void (await load()),
      call: async (request, { signal }) => {
        if (signal.aborted) throw abortedFailure(signal);
        return readRecordedReply((await load()).find(request), { aliases, recorded });
      },
      close: async () => (await recording?.catch(() => undefined))?.close(),
    };
  },
});

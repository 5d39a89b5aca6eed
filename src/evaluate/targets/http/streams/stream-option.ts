import { z } from 'zod';
import { lazily } from '../../../../core/lib/lazily.ts';
import { replyPathOption } from '../../reply/reply-path.ts';
import { toolCallsOption } from '../../reply/tool-calls-setting.ts';
import { streamForms } from './forms.ts';
import { ownForm } from './own-form.ts';
import type { StreamForm } from './stream-form.ts';

const names = streamForms.map(({ name }) => name);
const path = replyPathOption.optional();

/** The option of a target that says how its streams are read. */
export const streamOption = lazily(() =>
  z
    .union([
      z.enum(['auto', 'none', ...names]),
      z
        .strictObject({
          text: path.describe('Path of a piece of the answer in an event, such as `$.delta`.'),
          whole: path.describe('Path of the answer so far, where each event repeats it; in place of `text`.'),
          toolCalls: toolCallsOption(),
          documents: path.describe('Path of the list of retrieved documents in an event.'),
          usage: path.describe('Path of the token counts in an event.'),
          error: path.describe('Path of an error in an event, after which there is no answer.'),
          end: path.describe(
            "Path that has something in the last event alone, such as `$[?@=='done']`; without it, the end of the body ends the answer.",
          ),
          events: z
            .array(z.string().min(1))
            .min(1)
            .optional()
            .describe('The names of the events that are read, such as `[token]`.'),
        })
        .refine(({ text, whole }) => (text === undefined) !== (whole === undefined), {
          message: 'needs `text` (the pieces of the answer) or `whole` (the answer so far), and not both',
        }),
    ])
    .optional()
    .describe(
      'How a streamed answer is read: `auto`, by which its form is recognised; the name of the form, ' +
        `${names.map((name) => `\`${name}\``).join(', ')}; the paths of a form of its own, as in \`{ text: $.delta, error: $.error }\`; ` +
        'or `none`, which reads every body whole, as it is.',
    ),
);

/** The way in which a target's streams are read; undefined as `auto`. */
export type StreamSetting = z.output<ReturnType<typeof streamOption>>;

/** Returns the form that a setting names or describes; undefined where it is to be recognised. */
export function formOf(setting: StreamSetting): StreamForm | undefined {
  return typeof setting === 'object' ? ownForm(setting) : streamForms.find(({ name }) => name === setting);
}

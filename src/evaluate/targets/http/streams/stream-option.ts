import { z } from 'zod';
import { lazily } from '../../../../core/lib/lazily.ts';
import { streamForms } from './forms.ts';
import type { StreamForm } from './stream-form.ts';

/** The option of a target that says how its streams are read. */
export const streamOption = lazily(() =>
  z
    .enum(['auto', 'none', ...streamForms.map(({ name }) => name)])
    .optional()
    .describe(
      'How a streamed answer is read: `auto`, by which its form is recognised, or the name of the form: ' +
        `${streamForms.map(({ name }) => `\`${name}\``).join(', ')}. \`none\` reads every body whole, as it is.`,
    ),
);

/** The way in which a target's streams are read; undefined as `auto`. */
export type StreamSetting = z.output<ReturnType<typeof streamOption>>;

/** Returns the form that a setting names; undefined where it is to be recognised. */
export function formOf(setting: StreamSetting): StreamForm | undefined {
  return streamForms.find(({ name }) => name === setting);
}

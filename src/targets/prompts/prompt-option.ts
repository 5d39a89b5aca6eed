import { stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { TouchstoneError } from '../../errors.ts';
import { readTextFile, type SourceText } from '../files/read-text-file.ts';

/** The option of a target that is a text, or the file that holds it. */
export const promptOption = z.lazy(() =>
  z.union([z.string().min(1), z.strictObject({ path: z.string().min(1) })]),
);
export type PromptOption = z.output<typeof promptOption>;

/** A prompt option and where it stands. */
export interface WrittenPrompt {
  readonly setting: string;
  readonly folder: string;
}

/**
 * The text of a prompt option, without white space at its end. Throws `target-invalid` for a file that cannot be used,
 * and for a text that is the name of a file: that was meant as one.
 */
export async function readPrompt(
  option: PromptOption,
  { setting, folder }: WrittenPrompt,
): Promise<SourceText> {
  if (typeof option !== 'string') {
    const { text, file } = await readTextFile(option.path, setting, folder);
    return { text: text.trimEnd(), file };
  }
  if (await isFileName(option, folder)) {
    throw new TouchstoneError('target-invalid', `\`${setting}\` is the text "${option}", which is a file.`, {
      remedy: `Write \`${setting}: { path: ${option} }\` to use what is in it.`,
    });
  }
  return { text: option, file: `\`${setting}\`` };
}

async function isFileName(text: string, folder: string): Promise<boolean> {
  if (text.length > 300 || /[\n{}]/.test(text)) return false;
  return (await stat(path.resolve(folder, text)).catch(() => undefined))?.isFile() ?? false;
}

import type { PlacedAttachment } from '../dataset.ts';
import { type Fields, isFields } from '../fields.ts';
import { AttachmentDraft, readFileList } from '../forms/chat-messages.ts';

/** The files of a row in the messages of its case. */
export interface PlacedAttachments {
  readonly placed: readonly PlacedAttachment[];
  /** The value of the column `attachments` where it lists no files. */
  readonly other?: unknown;
}

const none: PlacedAttachments = { placed: [] };

/**
 * Moves the files that a row lists with its question into the last message of the user, and finds those that stand within messages.
 * The messages are changed.
 */
export function placeAttachments(value: Fields): PlacedAttachments {
  const { attachments: listed, input } = value;
  if (listed === undefined && !Array.isArray(input)) return none;
  delete value['attachments'];
  const files = listed === undefined ? undefined : readFileList(listed);
  const isOther = listed !== undefined && files === undefined && [listed].flat().length > 0;
  if (files !== undefined) addToQuestion(value, files);
  const messages = Array.isArray(value['input']) ? (value['input'] as unknown[]) : [];
  const placed = messages.flatMap((message, index) => filesOf(message, ['input', index], files));
  return { placed, ...(isOther && { other: listed }) };
}

function filesOf(
  message: unknown,
  path: readonly PropertyKey[],
  listed: readonly AttachmentDraft[] = [],
): PlacedAttachment[] {
  const { attachments } = isFields(message) ? message : {};
  if (!Array.isArray(attachments)) return [];
  return attachments
    .filter((file) => file instanceof AttachmentDraft)
    .map((draft) => ({
      draft,
      message: message as Fields,
      path: listed.includes(draft) ? draft.from : [...path, ...draft.from],
    }));
}

function addToQuestion(value: Fields, files: readonly AttachmentDraft[]): void {
  const { input } = value;
  if (typeof input === 'string') value['input'] = [{ role: 'user', content: input }];
  const messages = value['input'];
  if (!Array.isArray(messages)) return;
  const asked = messages.findLast((message) => isFields(message) && message['role'] === 'user');
  if (!isFields(asked)) return;
  const { content, attachments = [] } = asked;
  for (const file of files) file.at = typeof content === 'string' ? content.length : 0;
  asked['attachments'] = [...(attachments as unknown[]), ...files];
}

/** Splits a cell into paths and addresses. A data URL has a `;` of its own. */
export function splitFiles(cell: string): string[] {
  return cell
    .split(/[|\r\n]|;(?!base64,)/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

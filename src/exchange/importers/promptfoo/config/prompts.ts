import { parseJson } from '../../../../core/lib/json/parse-json.ts';
import type { Ledger } from '../../ledger.ts';
import { asArray, asObject, asText, objectsIn, textOf } from '../../values.ts';
import { variablesIn } from '../../render.ts';
import { functionMark } from '../../content/content.ts';
import { type ConfigFiles, isCode } from './config-files.ts';

/** A prompt of a config: the messages to send, with placeholders. */
export interface FoundPrompt {
  readonly id: string | undefined;
  readonly label: string;
  /** The text as it was written. */
  readonly raw: string;
  readonly system: string | undefined;
  /** The last message of the user. */
  readonly user: string;
  /** True for a prompt that is a conversation with other messages, too. */
  readonly hasMore: boolean;
  /** True for a prompt that repeats the turns before. */
  readonly isConversation: boolean;
}

interface Sources {
  readonly files: ConfigFiles;
  readonly ledger: Ledger;
}

/** Reads the prompts of a config. Code is dropped. A config without prompts sends the variable `prompt`. */
export function readPrompts(raw: unknown, sources: Sources): FoundPrompt[] {
  const items = Array.isArray(raw) ? raw : raw === undefined ? [] : [raw];
  const found = items.flatMap((item: unknown) => readItem(item, sources));
  return found.map((prompt, index) => ({ ...prompt, label: shortLabel(prompt, index, found) }));
}

function readItem(item: unknown, sources: Sources): FoundPrompt[] {
  const object = asObject(item);
  const id = asText(object?.id);
  const written = object?.raw ?? object?.function;
  const text = asText(item) ?? asText(written) ?? (written === undefined ? id : textOf(written));
  if (text === undefined) return [];
  const label = asText(object?.label);
  return textsIn(text, sources).map((raw) => ({
    ...messagesIn(raw.text, sources.ledger),
    id,
    raw: raw.text,
    label: label ?? raw.name,
  }));
}

/** Returns the texts that a prompt refers to: itself, or those in the files that it names. */
function textsIn(text: string, { files, ledger }: Sources): { name: string; text: string }[] {
  const isOfCode = text.startsWith(functionMark) || /^(?:exec|python):/.test(text);
  if (isOfCode || (text.startsWith('file://') && isCode(text))) {
    ledger.leaveOut('prompt made by code', {
      note: 'Code is never run.',
      place: text.replace(functionMark, '').slice(0, 100),
    });
    return [];
  }
  const isFile = text.startsWith('file://') || /^[^\n{}]{1,200}\.(?:txt|jsonl?|ya?ml|md|j2)$/.test(text);
  if (!isFile) {
    ledger.take('prompt', 'target');
    return [{ name: '', text }];
  }
  return files.match(text).flatMap((name) => {
    const read = files.read(name);
    if (typeof read === 'string') {
      ledger.leaveOut('prompt in a file', { note: read, place: text });
      return [];
    }
    const texts = splitPrompts(name, read.text);
    ledger.take('prompt in a file', 'target', name);
    const plain = name.replace(/^.*\//, '').replace(/\.[^.]*$/, '');
    const kept = texts.map((each) => each.trim()).filter((each) => each !== '');
    return kept.map((each, index) => ({
      name: kept.length === 1 ? plain : `${plain} ${index + 1}`,
      text: each,
    }));
  });
}

/** Splits a file into its prompts as promptfoo does: a text at lines of `---`, JSON Lines line by line, any other not at all. */
function splitPrompts(name: string, text: string): string[] {
  if (/\.txt$/i.test(name)) return text.split(/^[^\S\n]*---[^\S\n]*$/m);
  return /\.jsonl$/i.test(name) ? text.split('\n') : [text];
}

/** The loop by which a prompt repeats the turns before, which a chat target sends by itself. */
const turnsBefore = /\{%-?\s*for\s+\w+\s+in\s+_conversation\s*-?%\}[\s\S]*?\{%-?\s*endfor\s*-?%\}/g;

/** Returns the messages of a prompt: a conversation in JSON, else one message of the user. */
function messagesIn(
  raw: string,
  ledger: Ledger,
): Pick<FoundPrompt, 'system' | 'user' | 'hasMore' | 'isConversation'> {
  const text = raw.replaceAll(turnsBefore, '');
  const isConversation = text !== raw;
  if (isConversation) ledger.take('turns before, in a prompt', 'the conversation that the target keeps');
  const messages = objectsIn(parseChat(text));
  const last = messages.findLast(({ role }) => role === 'user');
  if (last === undefined) return { system: undefined, user: text, hasMore: false, isConversation };
  const systems = messages.filter(({ role }) => role === 'system' || role === 'developer');
  const system = systems.map(({ content }) => textOf(content ?? '')).join('\n\n');
  return {
    system: system === '' ? undefined : system,
    user: textOf(last.content ?? ''),
    hasMore: messages.length > systems.length + 1,
    isConversation,
  };
}

function parseChat(raw: string): unknown {
  if (!raw.trimStart().startsWith('[')) return [];
  try {
    return asArray(parseJson(raw));
  } catch {
    return [];
  }
}

/** Returns a name that is short and that no other prompt has. */
function shortLabel({ label }: FoundPrompt, index: number, all: readonly FoundPrompt[]): string {
  const isOwn = label !== '' && label.length <= 40 && all.filter((each) => each.label === label).length === 1;
  return isOwn ? label : `prompt ${index + 1}`;
}

/** Names under which a question is often stored, best first. */
const questionNames = ['question', 'input', 'query', 'prompt', 'message', 'request', 'text', 'user_input'];

/** Returns the variable that is the question: of those in the last messages, the best known, else the last. */
export function questionOf(prompts: readonly FoundPrompt[]): string | undefined {
  const used = [...new Set(prompts.flatMap(({ user }) => variablesIn(user)))].filter(
    (name) => name !== 'env',
  );
  return questionNames.find((name) => used.includes(name)) ?? used.at(-1);
}

/** A placeholder of the plain kind. */
const placeholder = /\{\{-?\s*([A-Za-z_$][\w$]*(?:\.[\w$]+)*)\s*-?\}\}/g;

/**
 * Returns a template in our notation: the question is `{{question}}`, other variables are metadata of the case. Undefined
 * for one that needs Nunjucks.
 */
export function toOurTemplate(template: string, question: string | undefined): string | undefined {
  if (/\{%|\{#/.test(template) || template.replaceAll(placeholder, '').includes('{{')) return undefined;
  return template.replaceAll(placeholder, (_, path: string) => {
    const name = path.replace(/^vars\./, '');
    if (name.startsWith('env.')) return `{{${name}}}`;
    return name === question ? '{{question}}' : `{{metadata.${name}}}`;
  });
}

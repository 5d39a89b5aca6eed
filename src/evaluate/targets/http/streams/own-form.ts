import { listKeys } from '../../../../core/lib/text/describe-value.ts';
import type { Json } from '../../../../core/schema/json.ts';
import { mapCalls } from '../../reply/map-calls.ts';
import { isFields } from '../../reply/part.ts';
import { readError } from '../../reply/read-tool-calls.ts';
import { isEmptyList, isThere, replyPath } from '../../reply/reply-path.ts';
import { toJson } from '../../reply/to-json.ts';
import type { ToolCallsSetting } from '../../reply/tool-calls-setting.ts';
import { TargetFailure } from '../../target.ts';
import { reportedInStream, unreadableEvent } from './stream-faults.ts';
import type { BotAssembler, StreamForm } from './stream-form.ts';

/** The paths into the events of a stream of a form of its own. */
export interface OwnForm {
  /** The path of a piece of the text. */
  readonly text?: string;
  /** The path of the text so far, where each event repeats it. */
  readonly whole?: string;
  readonly toolCalls?: ToolCallsSetting;
  readonly documents?: string;
  readonly usage?: string;
  readonly error?: string;
  /** The path that has something in the last event. */
  readonly end?: string;
  /** The names of the events that are read. */
  readonly events?: string[];
}

/** Returns the form of a stream that a target describes. */
export function ownForm(paths: OwnForm): StreamForm {
  return {
    name: 'own',
    isText: true,
    isOwn: true,
    ...(paths.end !== undefined && { endMark: `an event with \`${paths.end}\`` }),
    assemble: () => assembleOwn(paths),
  };
}

const mostKeys = 100;

function assembleOwn(paths: OwnForm): BotAssembler {
  const pieces: string[] = [];
  const calls: unknown[] = [];
  const keys = new Set<string>();
  let [whole, usage, documents]: unknown[] = [];
  let [isOver, isRead] = [false, false];

  const addText = (event: unknown): boolean => {
    const piece = textAt(event, paths.text);
    const soFar = textAt(event, paths.whole);
    if (piece !== undefined) pieces.push(piece);
    whole = soFar ?? whole;
    isRead ||= piece !== undefined || soFar !== undefined;
    return Boolean(piece) || Boolean(soFar);
  };

  const addCalls = (event: unknown): boolean => {
    const { path } = callsSetting(paths.toolCalls);
    const found = path === undefined ? undefined : replyPath(path).find(event);
    const list = found === undefined || found === null ? [] : [found].flat();
    calls.push(...list);
    return list.length > 0;
  };

  const addParts = (event: unknown): boolean => {
    usage = valueAt(event, paths.usage) ?? usage;
    documents = valueAt(event, paths.documents) ?? documents;
    const hasCalls = addCalls(event);
    return addText(event) || hasCalls;
  };

  const reply = (): Json => {
    const { names, missing } = callsSetting(paths.toolCalls);
    const isStated = calls.length > 0 || missing === 'none';
    const answer = paths.whole === undefined ? pieces.join('') : whole;
    return toJson({
      answer: isRead ? answer : null,
      ...(isStated && { tool_calls: mapCalls(calls, names) }),
      ...(usage !== undefined && { usage }),
      ...(documents !== undefined && { documents }),
    });
  };

  return {
    add: (value, name, data) => {
      if (value === undefined && /^\s*[{[]/.test(data)) throw unreadableEvent(data, 'own');
      const event = value ?? data;
      for (const key of isFields(event) ? Object.keys(event) : []) if (keys.size < mostKeys) keys.add(key);
      const error = valueAt(event, paths.error);
      if (readError(error) !== undefined && !isEmptyList(error)) throw reportedInStream(error);
      isOver ||= isThere(valueAt(event, paths.end));
      return paths.events?.includes(name) === false ? false : addParts(event);
    },
    isOver: () => isOver,
    finish: () => {
      if (paths.end !== undefined && !isOver) return undefined;
      if (!isRead && calls.length === 0) throw nothingFound(paths, keys);
      return reply();
    },
    soFar: reply,
  };
}

function valueAt(event: unknown, path: string | undefined): unknown {
  return path === undefined ? undefined : (replyPath(path).find(event) ?? undefined);
}

function textAt(event: unknown, path: string | undefined): string | undefined {
  const found = valueAt(event, path);
  if (typeof found === 'string') return found;
  if (typeof found === 'number') return String(found);
  const isTexts = Array.isArray(found) && found.length > 0 && found.every((each) => typeof each === 'string');
  return isTexts ? found.join('') : undefined;
}

function callsSetting(setting: ToolCallsSetting) {
  if (setting === undefined || setting === 'none') return { path: undefined, names: {}, missing: setting };
  if (typeof setting === 'string') return { path: setting, names: {}, missing: undefined };
  const { path, missing, ...names } = setting;
  return { path, names, missing };
}

function nothingFound({ text, whole }: OwnForm, keys: ReadonlySet<string>): TargetFailure {
  const found = keys.size === 0 ? 'there was no event in JSON' : `events had the keys ${listKeys([...keys])}`;
  return new TargetFailure('invalid-answer', `No event of the stream had \`${text ?? whole}\`; ${found}.`);
}

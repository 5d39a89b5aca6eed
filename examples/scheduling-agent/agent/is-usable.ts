import type { ToolArguments, ToolName, ToolResults } from '../calendar/tools.ts';

type Fields = Record<string, unknown>;

/** For each tool, whether what came back has the parts that the agent reads, and is about what was asked. */
const checks: { [Name in ToolName]: (result: unknown, given: ToolArguments[Name]) => boolean } = {
  find_people: (result, { names }) =>
    isListOf(result, (found) => Array.isArray(found['matches'])) &&
    names.every((name, at) => result[at]?.['name'] === name),
  free_busy: (result, { people }) =>
    isListOf(result, (entry) => isListOf(entry['working'], isSpan) && isListOf(entry['busy'], isSpan)) &&
    people.every((id, at) => result[at]?.['person'] === id),
  list_events: (result) => isListOf(result, isEvent),
  book_event: (result, { start, participants }) =>
    isEvent(result) && result['start'] === start && String(result['participants']) === participants.join(),
  move_event: (result, { id, start }) => isEvent(result) && result['id'] === id && result['start'] === start,
  cancel_event: (result, { id }) => isEvent(result) && result['id'] === id,
};

/** Whether a tool's result can be worked with. An agent that does not look takes an outage for an empty calendar. */
export function isUsable<Name extends ToolName>(
  name: Name,
  result: unknown,
  given: ToolArguments[Name],
): result is ToolResults[Name] {
  return checks[name](result, given);
}

function isListOf(value: unknown, isItem: (item: Fields) => boolean): value is Fields[] {
  return Array.isArray(value) && value.every((item) => isFresh(item) && isItem(item));
}

function isEvent(value: unknown): value is Fields {
  return isFresh(value) && isSpan(value) && ['id', 'title'].every((key) => typeof value[key] === 'string');
}

function isSpan({ start, end }: Fields): boolean {
  return [start, end].every((instant) => typeof instant === 'string' && !Number.isNaN(Date.parse(instant)));
}

/** An object, and no old copy out of a cache. */
function isFresh(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !('cache' in value);
}

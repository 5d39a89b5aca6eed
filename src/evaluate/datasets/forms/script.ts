import type { FieldMapping, FieldTarget } from '../field-mapping.ts';
import { type Fields, isFields } from '../fields.ts';

/** Returns whether a value is a simulated user: many files have a `user` of another kind, such as a name. */
export function isUser(value: unknown): value is Fields {
  return isFields(value) && (value['goal'] !== undefined || value['script'] !== undefined);
}

/**
 * Returns whether a value is a script: a list of a user's messages. A list of messages of both sides is not one, nor is
 * a list of numbers.
 */
export function isScript(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(isTurn);
}

function isTurn(value: unknown): boolean {
  return typeof value === 'string' || (isFields(value) && (value['say'] ?? saidIn(value)) !== undefined);
}

/** The names under which files keep what the user says in a turn. */
const saidNames = ['user', 'question', 'input', 'prompt', 'query', 'message', 'user_message', 'user_input'];

/** The names of what the bot said: a turn with one of them is a piece of a recorded conversation. */
const botNames = /^(?:assistant|bot|agent|ai|system|response|reply|output|role)$/i;

/** Returns the name under which a turn has the words of the user. */
function saidIn(turn: Fields): string | undefined {
  if (Object.keys(turn).some((name) => botNames.test(name))) return undefined;
  return saidNames.find((name) => typeof turn[name] === 'string');
}

/** The reader of the parts of a turn: of the names of expectations, and of their values. */
export interface TurnReader {
  readonly mapping: Pick<FieldMapping, 'targetOf' | 'partOf'>;
  read(raw: unknown, target: FieldTarget): unknown;
}

/** The turns of a script, with the names in them that mean nothing. */
export interface ReadScript {
  readonly turns: readonly unknown[];
  readonly unknown: ReadonlySet<string>;
}

/**
 * Returns the turns of a script as objects of our form: a text is a message of the user, and so is the text under a usual name, with
 * what is expected besides it.
 */
export function readScript(script: readonly unknown[], reader: TurnReader): ReadScript {
  const unknown = new Set<string>();
  const turns = script.map((turn) => {
    if (typeof turn === 'string') return { say: turn };
    const said = isFields(turn) && turn['say'] === undefined ? saidIn(turn) : undefined;
    return said === undefined ? turn : readTurn(turn as Fields, said, { ...reader, unknown });
  });
  return { turns, unknown };
}

function readTurn(
  turn: Fields,
  said: string,
  reader: TurnReader & { readonly unknown: Set<string> },
): Fields {
  const { mapping, read, unknown } = reader;
  const expected: Fields = {};
  const add = (name: string, target: FieldTarget | null | false | undefined, raw: unknown) => {
    const isRead = target && target.part !== undefined && target.cell !== 'description' && !target.isWeak;
    if (isRead) expected[target.part] = read(raw, target);
    else unknown.add(name);
  };
  for (const name of Object.keys(turn)) {
    const raw = turn[name];
    if (name === said || name === 'when' || raw === null || raw === undefined) continue;
    if (name === 'expected' && isFields(raw))
      for (const key of Object.keys(raw)) add(`expected.${key}`, mapping.partOf(key), raw[key]);
    else add(name, name === 'expected' ? mapping.partOf('answer') : mapping.targetOf(name), raw);
  }
  const { when } = turn;
  return {
    say: turn[said],
    ...(when !== undefined && { when }),
    ...(Object.keys(expected).length > 0 && { expected }),
  };
}

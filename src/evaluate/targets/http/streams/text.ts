import { parseJson } from '../../../../core/lib/json/parse-json.ts';
import { getOrCreate, setMember } from '../../../../core/lib/objects.ts';
import { listKeys } from '../../../../core/lib/text/describe-value.ts';
import { shorten } from '../../../../core/lib/text/terminal-text.ts';
import type { Json } from '../../../../core/schema/json.ts';
import { type Fields, isFields } from '../../reply/part.ts';
import { TargetFailure } from '../../target.ts';
import { unreadableEvent } from './stream-faults.ts';
import type { BotAssembler, StreamForm } from './stream-form.ts';

/** The names under which bots stream the pieces of an answer, best first. */
const textNames: readonly string[] = [
  'delta',
  'text',
  'token',
  'content',
  'chunk',
  'answer',
  'response',
  'message',
];

/** Returns whether an event has a piece of a text under one of the usual names. */
export function hasText(value: Fields): boolean {
  return textNames.some((name) => typeof value[name] === 'string');
}

/** Names of the events with which a stream ends. */
export const endNames: ReadonlySet<string> = new Set(['end', 'done', 'close', 'complete', 'finish']);

/** The events of one name: their data as it is, under the member '', or the texts that JSON events have under a name. */
interface Channel {
  readonly isRaw: boolean;
  readonly texts: Map<string, string[]>;
}

/** The pieces of one text. */
interface Text {
  /** The name of its events. */
  readonly event: string;
  readonly member: string;
  readonly pieces: readonly string[];
}

/** The most names of members that are remembered to be named in a message. */
const mostKeys = 100;

/** A stream of pieces of text, which is what no other form fits. */
export const text: StreamForm = { name: 'text', isText: true, assemble: assembleText };

/**
 * Creates an assembler of pieces of text without a known form: the data of events as it is, or what JSON events have
 * under one of the usual names. Of several texts the one in most pieces is the answer, and the others are noted: bots
 * also stream what they do meanwhile. The other members of the events stay next to the answer.
 */
function assembleText(): BotAssembler {
  const channels = new Map<string, Channel>();
  const beside: Record<string, Json> = {};
  const keys = new Set<string>();
  let isOver = false;

  const texts = (): Text[] =>
    [...channels]
      .flatMap(([event, channel]) =>
        Array.from(channel.texts, ([member, pieces]) => ({ event, member, pieces })),
      )
      .toSorted(
        (one, other) => other.pieces.length - one.pieces.length || rankOf(one.member) - rankOf(other.member),
      );

  const addPiece = (channel: Channel, member: string, piece: string): boolean => {
    // The last event of some servers repeats the whole text.
    if (isOver && texts().length > 0) return false;
    getOrCreate(channel.texts, member, () => []).push(piece);
    return piece !== '';
  };

  const addObject = (channel: Channel, value: Fields): boolean => {
    let hasPiece = false;
    for (const [key, member] of Object.entries(value)) {
      if (keys.size < mostKeys) keys.add(key);
      const isText = typeof member === 'string' && textNames.includes(key);
      if (!isText) setMember(beside, key, member as Json);
      else if (addPiece(channel, key, member)) hasPiece = true;
    }
    return hasPiece;
  };

  const whole = (): Json => {
    const [answer] = texts();
    if (answer?.member === '') return joinRaw(answer.pieces);
    return { ...beside, [answer?.member ?? 'answer']: answer?.pieces.join('') ?? null };
  };

  return {
    add: (value, name, data) => {
      isOver ||= endNames.has(name);
      const known = channels.get(name);
      if (known === undefined && Array.isArray(value) && name !== 'message') {
        setMember(beside, name, value as Json); // The list of sources, and the like.
        return false;
      }
      const channel = getOrCreate(channels, name, () => ({ isRaw: !isFields(value), texts: new Map() }));
      if (channel.isRaw) return isOver ? false : addPiece(channel, '', data);
      if (isFields(value)) return addObject(channel, value);
      if (value === undefined && data !== '') throw unreadableEvent(data, 'text');
      return false;
    },
    isOver: () => isOver,
    finish: () => {
      if (texts().length === 0 && keys.size > 0) throw nothingRead(keys);
      return whole();
    },
    soFar: whole,
    answerAt: () => texts()[0]?.member || undefined,
    notes: () => texts().slice(1, 6).map(noteOn),
  };
}

function rankOf(member: string): number {
  return textNames.indexOf(member);
}

/** Joins pieces. Where each one is a text of JSON, the server wrote it so, for a newline would end the event. */
function joinRaw(pieces: readonly string[]): string {
  const texts = pieces.map((piece) => (piece.startsWith('"') ? parseText(piece) : undefined));
  return (texts.every((text) => text !== undefined) ? texts : pieces).join('');
}

function parseText(piece: string): string | undefined {
  try {
    const value: unknown = parseJson(piece);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function noteOn({ event, member, pieces }: Text): string {
  const named = event === 'message' ? '' : ` named \`${event}\``;
  const what =
    member === ''
      ? `The data of ${pieces.length} events${named}`
      : `\`${member}\` of ${pieces.length} events${named}`;
  return `${what} is not part of the answer: ${shorten(pieces.join(' '), 100)}`;
}

function nothingRead(keys: ReadonlySet<string>): TargetFailure {
  return new TargetFailure(
    'invalid-answer',
    `No event of the stream had a text under ${textNames.join(', ')}; events had the keys ${listKeys([...keys])}. ` +
      'Write where it is, as in `stream: { text: $.data.delta }`.',
  );
}

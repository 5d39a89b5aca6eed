import type { Message } from '../../../schema/message.ts';

/** Who speaks, in the words of the programs that write conversations down; capital and small letters are the same. */
const roles: Readonly<Record<string, Message['role']>> = {
  system: 'system',
  developer: 'system',
  instruction: 'system',
  instructions: 'system',
  systemmessage: 'system',
  user: 'user',
  human: 'user',
  customer: 'user',
  humanmessage: 'user',
  humanmessagechunk: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  bot: 'assistant',
  model: 'assistant',
  agent: 'assistant',
  aimessage: 'assistant',
  aimessagechunk: 'assistant',
  tool: 'tool',
  function: 'tool',
  toolmessage: 'tool',
  functionmessage: 'tool',
};

/** Our name for a role; undefined for a text that is none, and for anything else. */
export function roleOf(value: unknown): Message['role'] | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value.toLowerCase();
  return Object.hasOwn(roles, name) ? roles[name] : undefined;
}

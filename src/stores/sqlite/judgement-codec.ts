import { hashText } from '../../lib/content-hash.ts';
import type { Judgement } from '../../schema/judgement.ts';
import type { Database } from './database.ts';

type Prompt = Judgement['calls'][number]['prompt'];

/** Turns judgements into records and back. */
export interface JudgementCodec {
  encode(judgement: Judgement): string;
  decode(record: string): Judgement;
}

/**
 * Keeps the system message of a prompt once for all judgements that share it: it is the same for every trial, and most of
 * what a record would hold.
 */
export function createJudgementCodec(database: Database): JudgementCodec {
  const insert = database.prepare('INSERT OR IGNORE INTO prompts (hash, text) VALUES (?, ?)');
  const select = database.prepare('SELECT text FROM prompts WHERE hash = ?');
  const known = new Map<string, string>();

  const keep = (text: string): string => {
    const hash = known.get(text) ?? hashText(text);
    // Again each time: what is known here may have been rolled back.
    insert.run(Buffer.from(hash, 'hex'), text);
    if (known.size > mostKnown) known.clear();
    known.set(text, hash);
    return hash;
  };
  const find = (hash: string): string => String(select.get(Buffer.from(hash, 'hex'))?.['text'] ?? '');

  return {
    encode: (judgement) =>
      JSON.stringify({ ...judgement, calls: judgement.calls.map((call) => withPrompt(call, keep)) }),
    decode: (record) => {
      const judgement = JSON.parse(record) as Judgement;
      return { ...judgement, calls: judgement.calls.map((call) => withPrompt(call, find)) };
    },
  };
}

const mostKnown = 200;

function withPrompt<Call extends { readonly prompt: Prompt }>(
  call: Call,
  replace: (text: string) => string,
): Call {
  const prompt = call.prompt.map(({ role, content }) => ({
    role,
    content: role === 'system' ? replace(content) : content,
  }));
  return { ...call, prompt };
}

import { hashText } from '../content-hash.ts';
import { foldText } from './words.ts';

/** A text written by others, with a title of ours. */
export interface Material {
  /** Small letters, digits and spaces. */
  readonly title: string;
  readonly text: string;
}

/** Material between delimiter lines that nothing in it can imitate. */
export interface DelimitedMaterial {
  /** The code in every delimiter of this prompt; the material does not contain it. */
  readonly code: string;
  readonly text: string;
  /** The text of each part, in order. */
  readonly blocks: readonly string[];
}

/**
 * Puts each part of the material between `<<<CODE title>>>` and `<<<end CODE title>>>`. The code is a hash of all the
 * material: the same material has the same code, and any change gives another. To forge a delimiter, an answer would
 * have to contain the hash of itself. If the material contains the code nevertheless, in any Unicode-equivalent form,
 * another code is used.
 */
export function delimitMaterial(material: readonly Material[]): DelimitedMaterial {
  const parts = material.map(({ title, text }) => ({ title, text: defuse(text) }));
  const code = findCode(parts);
  const blocks = parts.map(
    ({ title, text }) => `<<<${code} ${title}>>>\n${text}\n<<<end ${code} ${title}>>>`,
  );
  return { code, text: blocks.join('\n\n'), blocks };
}

function findCode(parts: readonly Material[]): string {
  const folded = parts.map(({ text }) => foldText(text).toLowerCase());
  const json = JSON.stringify(parts);
  for (let round = 0; ; round += 1) {
    const code = hashText(`${round} ${json}`).slice(0, 16);
    if (!folded.some((text) => text.includes(code))) return code;
  }
}

const controlTokens = [
  /<(?=\|[^\n]{1,60}?\|>)/g,
  /<(?=｜[^\n]{1,60}?｜>)/g,
  /<(?=\/?(?:s|bos|eos|start_of_turn|end_of_turn|think|thinking)>)/gi,
  /\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_RESULTS)\])/g,
  /<(?=<\/?SYS>>)/g,
];

/**
 * Defuses what model servers read as the end of a message, such as `<|im_end|>` or `[/INST]`, by replacing its first
 * character with a similar one. All other text is unchanged.
 */
export function defuse(text: string): string {
  return controlTokens.reduce(
    (safe, token) => safe.replace(token, (first) => (first === '<' ? '‹' : '⁅')),
    text.toWellFormed(),
  );
}

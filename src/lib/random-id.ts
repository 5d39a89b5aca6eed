import { randomBytes } from 'node:crypto';

/** 32 random hexadecimal digits: a name that nothing else has. */
export function randomId(): string {
  return randomBytes(16).toString('hex');
}

/** The kind of fault under which a tool call says that instructions were planted in its result. */
export const injectionKind = 'prompt-injection';

const pattern = /\bOSPREY-[A-Z]{6}\b/gi;

/** A word that no answer holds by chance, made of whole numbers from 0 to 25. */
export function plantedToken(letters: readonly number[]): string {
  return `OSPREY-${letters.map((letter) => String.fromCharCode(65 + letter)).join('')}`;
}

/** Every planted word in a text, in capitals, each once. */
export function findPlantedTokens(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(pattern), ([found]) => found.toUpperCase()))];
}

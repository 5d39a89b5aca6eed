/** What a terminal would obey, turn the text around it by, or not show at all; JSON itself escapes what is below U+0020. */
const unsafe = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** The same JSON with such characters escaped, wherever they stand in its texts, and what a build takes for a command. */
export function escapeJson(json: string): string {
  return json
    .replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('##[', '\\u0023#[');
}

/** A value as a JSON document that can be shown in a terminal, with a newline at its end. */
export function jsonDocument(value: unknown): string {
  return `${escapeJson(JSON.stringify(value, null, 2))}\n`;
}

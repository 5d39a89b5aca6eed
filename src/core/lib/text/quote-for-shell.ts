/**
 * Returns a word as it can be pasted into a shell: quoted only where the shell needs it. On Windows it is right in the command prompt
 * and in PowerShell; a word for which there is no such form is quoted for PowerShell.
 */
export function quoteForShell(word: string, platform: string | undefined = systemOfProgram()): string {
  if (platform === 'win32') return quoteForWindows(word);
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function quoteForWindows(word: string): string {
  // PowerShell splits `-a.b` and `-a:b` in two.
  if (/^[\w+=:./\\][\w+=:./\\-]*$|^-[\w=-]*$/.test(word)) return word;
  return /["$%!^`\n]|\\$/.test(word) ? `'${word.replaceAll("'", "''")}'` : `"${word}"`;
}

/** Returns whether a command goes on in the next line after a backslash, as in every shell but the ones of Windows. */
export function canContinueLine(platform: string | undefined = systemOfProgram()): boolean {
  return platform !== 'win32';
}

/** The system that a command is shown on. A browser names none: its commands are quoted as for Linux. */
function systemOfProgram(): string | undefined {
  return typeof process === 'undefined' ? undefined : process.platform;
}

/** The files of the user that this process has read and whose change can change a result. */
const files = new Set<string>();

/** Notes that a file of the user was read: a config, a module, a prompt, knowledge, or a program. */
export function noteUserFile(file: string): void {
  files.add(file);
}

/** Lists the files that were noted so far, by absolute paths. */
export function listUserFiles(): string[] {
  return [...files];
}

/** Told the exit code of the command that was run. */
export type ExitWith = (exitCode: number) => void;

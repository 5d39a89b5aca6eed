// Taken before code of anybody else is loaded, which may put something else in its place.
const exit = process.exit.bind(process);

/**
 * Ends the process with an exit code that nobody changes any more. A module of a target may have something to tidy up when
 * the process ends; that it ends well is not for it to say, even where the gate has failed.
 */
export function endProcess(code: number): never {
  const listeners = process.rawListeners('exit');
  process.removeAllListeners('exit');
  process.exit = () => {
    throw new Error('the process is ending already');
  };
  for (const listener of listeners) {
    try {
      listener.call(process, code);
    } catch {
      // It was the last thing that it did.
    }
  }
  process.removeAllListeners('exit');
  return exit(code);
}

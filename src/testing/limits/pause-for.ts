/** Waits. Unlike the timers of `node:timers/promises`, this one can be simulated. */
export async function pauseFor(milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/** Makes a gate through which at most so many pieces of work pass at the same time; the others wait in order. */
export function limitConcurrency(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let inFlight = 0;
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) inFlight -= 1;
    else next();
  };
  return async (work) => {
    if (inFlight < most) inFlight += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

/** Returns the greatest number of rounds of which more are wrong with a chance of at most 1 in 1,000, where each is with one of 0.05. */
export function mostWrong(rounds: number): number {
  let [term, sum, count] = [0.95 ** rounds, 0, 0];
  while (sum + term < 0.999) {
    sum += term;
    term *= ((rounds - count) / (count + 1)) * (0.05 / 0.95);
    count += 1;
  }
  return count;
}

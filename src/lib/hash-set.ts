/** A set of hashes that takes 8 bytes for each slot: 16 to 32 bytes for each hash, however long its text is. */
export interface HashSet {
  /**
   * Adds a hash of at least 16 hexadecimal digits; false when it, or another with the same first 16 digits, is there
   * already. Among a million hashes, the chance of such a chance meeting is below one in ten million.
   */
  add(hash: string): boolean;
}

/** An empty set, with linear probing over slots of two 32-bit words. */
export function createHashSet(): HashSet {
  let slots = new Uint32Array(2 * 1024);
  let size = 0;

  function put(high: number, low: number): boolean {
    const last = slots.length / 2 - 1;
    for (let slot = low & last; ; slot = (slot + 1) & last) {
      const [keptHigh, keptLow] = [slots[2 * slot], slots[2 * slot + 1]];
      if (keptHigh === high && keptLow === low) return false;
      if (keptHigh !== 0 || keptLow !== 0) continue;
      slots[2 * slot] = high;
      slots[2 * slot + 1] = low;
      return true;
    }
  }

  function grow(): void {
    const old = slots;
    slots = new Uint32Array(old.length * 2);
    for (let index = 0; index < old.length; index += 2) {
      const [high, low] = [old[index] as number, old[index + 1] as number];
      if (high !== 0 || low !== 0) put(high, low);
    }
  }

  return {
    add: (hash) => {
      const high = Number.parseInt(hash.slice(0, 8), 16);
      // An empty slot is two zeros, which no hash may be.
      const low = Number.parseInt(hash.slice(8, 16), 16) || Number(high === 0);
      const isNew = put(high, low);
      size += Number(isNew);
      if (size * 4 > slots.length) grow();
      return isNew;
    },
  };
}

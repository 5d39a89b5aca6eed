/** Something that is made when it is first needed, such as a connection, and again when it is needed after it was closed. */
export interface Resource<Value> {
  /** Returns it, and makes it first where it is not there. */
  get(): Promise<Value>;
  /** Closes it, unless it is not there or could not be made. */
  close(): Promise<void>;
}

/** Creates a resource from the functions that make and end it. One that could not be made is made again when it is next needed. */
export function createResource<Value>(
  make: () => Promise<Value>,
  end: (value: Value) => unknown,
): Resource<Value> {
  let made: Promise<Value> | undefined;
  return {
    get: async () => {
      made ??= make();
      const own = made;
      try {
        return await own;
      } catch (error) {
        if (made === own) made = undefined;
        throw error;
      }
    },
    close: async () => {
      const own = made?.then(
        (value) => ({ value }),
        () => undefined,
      );
      made = undefined;
      const opened = await own;
      if (opened !== undefined) await end(opened.value);
    },
  };
}

/** Gives an object a member under any name: assigned, `__proto__` would change what the object is. */
export function setMember<Value>(record: Record<string, Value>, name: string, value: NoInfer<Value>): void {
  if (name !== '__proto__') record[name] = value;
  else Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}

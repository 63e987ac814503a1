/** Members of objects whose keys are any text. */

/** `__proto__` is a key like any other; assigned, it would be taken for the object's prototype. */
export function setMember<Value>(object: { [key: string]: Value }, key: string, value: Value): void {
  if (key === "__proto__") Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

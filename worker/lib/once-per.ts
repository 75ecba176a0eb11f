/** What `make` makes of an object: once, and kept for as long as the object lives. */
export function oncePer<Key extends WeakKey, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { value: Value }>();
  return (key) => {
    const known = made.get(key) ?? { value: make(key) };
    made.set(key, known);
    return known.value;
  };
}

/** What an element is about: of one name and about the same, two are the same one. */
const aboutOf = (node) =>
  node.id ||
  node.getAttribute?.('src') ||
  (node.getAttribute?.('href') ?? node.querySelector?.('[href]')?.getAttribute('href') ?? '');
const isSame = (one, other) => one.nodeName === other.nodeName && aboutOf(one) === aboutOf(other);

/** Makes a part of the page like a newer one. What both have stays in its place, with its focus and, in a player, its position. */
export function update(part, fresh) {
  if (part.isEqualNode(fresh)) return;
  if (part.nodeType !== Node.ELEMENT_NODE) {
    part.nodeValue = fresh.nodeValue;
    return;
  }
  // What a person has unfolded stays so.
  for (const { name } of [...part.attributes])
    if (!fresh.hasAttribute(name) && name !== 'open') part.removeAttribute(name);
  for (const { name, value } of fresh.attributes)
    if (part.getAttribute(name) !== value) part.setAttribute(name, value);
  let at = part.firstChild;
  const removeUntil = (end) => {
    while (at !== end) {
      const gone = at;
      at = at.nextSibling;
      gone.remove();
    }
  };
  for (const child of fresh.childNodes) {
    let same = at;
    while (same !== null && !isSame(same, child)) same = same.nextSibling;
    if (same === null) part.insertBefore(document.importNode(child, true), at);
    else {
      removeUntil(same);
      update(same, child);
      at = same.nextSibling;
    }
  }
  removeUntil(null);
}

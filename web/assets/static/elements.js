/** An element with attributes, listeners (attributes that are functions) and children. */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(key, value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** A change that no input has reported. */
export const report = (element) => element.dispatchEvent(new Event('input', { bubbles: true }));

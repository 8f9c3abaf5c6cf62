/** Returns an element with attributes and children. Values become only text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export const byId = (id) => document.getElementById(id);

/** Sets only values that differ, so the browser does no layout and a screen reader sees no change. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function setAttribute(node, name, value) {
  if (value === undefined) node.removeAttribute(name);
  else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

/** Replaces the children by those of the items, in order. A node stays with its key, and keeps the focus in it. */
export function sync(parent, items, keyOf, make, update) {
  const nodes = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  const keys = new Set(items.map(keyOf));
  for (const [key, node] of nodes) if (!keys.has(key)) node.remove();
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    let node = nodes.get(key);
    if (!node) {
      node = make(item);
      node.dataset.key = key;
      nodes.set(key, node);
    }
    update(node, item);
    if (node === place) place = place.nextElementSibling;
    else parent.insertBefore(node, place);
  }
}

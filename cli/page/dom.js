/** An element with attributes and children; values only ever become text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export const byId = (id) => document.getElementById(id);

/** What is equal already is left alone: no layout, and no change for a screen reader. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function setAttribute(node, name, value) {
  if (value === undefined) node.removeAttribute(name);
  else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

/** Makes the children those of the items, in their order: each node stays that of its key, with what is focused in it. */
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

// What is wrong with how the page is laid out, as sentences.
const faults = [];
const wide = document.documentElement.clientWidth;
const root = [document.documentElement, document.body];
if (root[0].scrollWidth > wide) {
  const out = [...document.querySelectorAll('main *')].filter((it) => it.getBoundingClientRect().right > wide).slice(0, 3);
  faults.push(`the page is ${root[0].scrollWidth} wide: ${out.map((it) => it.outerHTML.slice(0, 120)).join(' | ')}`);
}
const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
const texts = () => {
  const all = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement: element } = walker.currentNode;
    if (data.trim() && seen(element) && !element.closest('title,desc,script,style,option')) all.push(walker.currentNode);
  }
  return all;
};
const short = (text) => JSON.stringify(text.trim().slice(0, 40));

// A column is as wide as its longest word, or as nine characters. A word may be broken after a hyphen.
const pen = document.createElement('canvas').getContext('2d');
const width = (text, element) => {
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(element);
  pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  return pen.measureText(text).width;
};
for (const node of texts()) {
  const cell = node.parentElement.closest('th,td');
  if (!cell) continue;
  const { paddingLeft, paddingRight } = getComputedStyle(cell);
  const room = cell.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  const nine = width('000000000', node.parentElement);
  for (const word of node.data.split(/[ \t\n]+|(?<=-)/)) {
    const needs = Math.min(width(word, node.parentElement), nine);
    if (needs > room + 1) faults.push(`a column is ${room} wide, and ${short(word)} needs ${needs}`);
  }
}

// What is cut off can be scrolled to, and its frame is as wide as the page lets it be.
for (const frame of document.querySelectorAll('body *')) {
  const { overflowX } = getComputedStyle(frame);
  if (overflowX === 'visible' || frame.scrollWidth <= frame.clientWidth + 1 || !frame.clientWidth || !seen(frame)) continue;
  const about = `${frame.tagName.toLowerCase()}.${frame.className} shows ${frame.clientWidth} of ${frame.scrollWidth}`;
  if (frame.matches('input,select,textarea,.quiet,.skip,.paint,.marks,.gutter,.code,summary,svg,svg *')) continue;
  if (overflowX === 'hidden' || overflowX === 'clip') faults.push(`${about} and cannot be scrolled`);
  if (!frame.querySelector('table')) continue;
  const { left, right } = frame.getBoundingClientRect();
  const around = frame.parentElement.closest('.results,.keys,.text,.script,.trial,.rival') ? 0 : left + wide - right;
  if (around > 100) faults.push(`${about} with ${around} empty beside it`);
}

// No text lies on another, or beyond the page.
const clip = (element) => {
  let box = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };
  for (let at = element; at && !root.includes(at); at = at.parentElement) {
    if (at instanceof SVGElement || getComputedStyle(at).overflowX === 'visible') continue;
    const own = at.getBoundingClientRect();
    box = {
      left: Math.max(box.left, own.left), right: Math.min(box.right, own.right),
      top: Math.max(box.top, own.top), bottom: Math.min(box.bottom, own.bottom),
    };
  }
  return box;
};
const boxes = [];
for (const node of texts()) {
  // Layers that belong together, such as a field and its colours, lie on each other on purpose.
  if (node.parentElement.closest('.quiet,.skip,.editor,.code,.brief,#board,.strategies fieldset,button,textarea')) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  const limits = clip(node.parentElement);
  for (const own of range.getClientRects()) {
    // Letters are lower than their line.
    const inset = own.height * 0.22;
    const box = {
      node,
      left: Math.max(own.left, limits.left), right: Math.min(own.right, limits.right),
      top: Math.max(own.top + inset, limits.top), bottom: Math.min(own.bottom - inset, limits.bottom),
    };
    if (box.right - box.left > 2 && box.bottom - box.top > 1) boxes.push(box);
  }
}
boxes.sort((a, b) => a.top - b.top);
boxes.forEach((a, i) => {
  if (a.left < -1 || a.right > wide + 1) faults.push(`${short(a.node.data)} goes beyond the page`);
  for (let j = i + 1; j < boxes.length && boxes[j].top < a.bottom - 1; j += 1) {
    const b = boxes[j];
    if (b.node !== a.node && a.left + 1.5 < b.right && b.left + 1.5 < a.right) {
      faults.push(`${short(a.node.data)} lies on ${short(b.node.data)}`);
    }
  }
});
return [...new Set(faults)];

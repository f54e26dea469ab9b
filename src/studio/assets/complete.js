// What may be written next, in a list below the cursor: arrows choose, Enter or Tab takes, Escape closes.

import { completions } from './rhai.js';

const MOST = 60;
const list = document.getElementById('completions');
const about = document.getElementById('completion-about');

let open = null;

const shown = () => Boolean(open);

function close(area) {
  open = null;
  list.hidden = true;
  about.hidden = true;
  area.removeAttribute('aria-activedescendant');
}

function mark(area, chosen) {
  open.chosen = (chosen + open.all.length) % open.all.length;
  [...list.children].forEach((item, i) => item.setAttribute('aria-selected', String(i === open.chosen)));
  const item = list.children[open.chosen];
  item.scrollIntoView({ block: 'nearest' });
  area.setAttribute('aria-activedescendant', item.id);
  about.textContent = open.all[open.chosen].about;
  about.hidden = !about.textContent;
}

/** Writes in a way that can be undone. */
export function write(area, from, to, text) {
  area.focus();
  area.setSelectionRange(from, to);
  if (!document.execCommand('insertText', false, text)) {
    area.setRangeText(text, from, to, 'end');
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

function take(area) {
  const { part, all, chosen } = open;
  const { name, more } = all[chosen];
  const at = area.selectionStart;
  close(area);
  const after = area.value[at] === '(' ? '' : more;
  write(area, at - part.length, at, name + after);
  close(area);
  const end = at - part.length + name.length + (after ? 1 : 0);
  area.setSelectionRange(end, end);
}

function show(area, words, asked) {
  const at = area.selectionStart;
  const found = at === area.selectionEnd ? completions(area.value, at, words) : null;
  const typed = found && (asked || found.part.length > 1 || area.value[at - found.part.length - 1] === '.');
  const part = found?.part.toLowerCase();
  const fit = typed ? found.all.filter((it) => it.name.toLowerCase().startsWith(part) && it.name !== found.part).slice(0, MOST) : [];
  if (!fit.length) return close(area);
  open = { part: found.part, all: fit, chosen: 0 };
  list.replaceChildren(...fit.map((it, i) => {
    const item = document.createElement('li');
    item.id = `completion-${i}`;
    item.setAttribute('role', 'option');
    item.textContent = it.name + it.more;
    item.addEventListener('pointerdown', (event) => { event.preventDefault(); open.chosen = i; take(area); });
    return item;
  }));
  const before = area.value.slice(0, at).split('\n');
  const column = before.at(-1).length - found.part.length;
  list.style.setProperty('--line', before.length);
  list.style.setProperty('--column', column);
  list.style.setProperty('--top', `${area.scrollTop}px`);
  list.style.setProperty('--left', `${area.scrollLeft}px`);
  list.hidden = false;
  mark(area, 0);
}

/** Offers these words in an area of text. */
export function offer(area, words) {
  area.addEventListener('input', (event) => {
    if (event.inputType?.startsWith('insert') && !/\s/.test(event.data ?? 'x')) show(area, words, false);
    else if (shown() && event.inputType === 'deleteContentBackward') show(area, words, false);
    else close(area);
  });
  area.addEventListener('blur', () => close(area));
  area.addEventListener('scroll', () => { if (shown()) close(area); });
  area.addEventListener('keydown', (event) => {
    if (event.key === ' ' && event.ctrlKey) {
      show(area, words, true);
      event.preventDefault();
      return;
    }
    if (!shown()) return indent(area, event);
    if (event.key === 'ArrowDown') mark(area, open.chosen + 1);
    else if (event.key === 'ArrowUp') mark(area, open.chosen - 1);
    else if (event.key === 'Enter' || event.key === 'Tab') take(area);
    else if (event.key === 'Escape') close(area);
    else {
      if (/^(Arrow|Home|End|Page)/.test(event.key)) close(area);
      return;
    }
    event.preventDefault();
  });
}

/** A new line begins where the last one did, and further in after a brace. */
function indent(area, event) {
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = area.selectionStart;
  const line = area.value.slice(area.value.lastIndexOf('\n', at - 1) + 1, at);
  const deeper = /[{([]\s*$/.test(line) ? '    ' : '';
  write(area, at, area.selectionEnd, `\n${/^\s*/.exec(line)[0]}${deeper}`);
  event.preventDefault();
}

// The text of the ruleset, with its faults in their places.

const text = document.getElementById('text');
const marks = document.getElementById('marks');
const list = document.getElementById('faults');

text.addEventListener('scroll', follow);
new ResizeObserver(follow).observe(text);

function follow() {
  marks.style.width = `${text.clientWidth}px`;
  marks.style.height = `${text.clientHeight}px`;
  marks.scrollTop = text.scrollTop;
  marks.scrollLeft = text.scrollLeft;
}

export function onText(change) {
  text.addEventListener('input', () => change(text.value));
}

/** Puts a text in place, and the cursor where it was. */
export function put(value) {
  if (text.value === value) return;
  const [start, end, top] = [text.selectionStart, text.selectionEnd, text.scrollTop];
  text.value = value;
  text.setSelectionRange(Math.min(start, value.length), Math.min(end, value.length));
  text.scrollTop = top;
}

/** Marks the lines at fault, and lists what is wrong with them. */
export function showFaults(faults) {
  const own = new Map();
  for (const fault of faults.filter((it) => it.file === null)) {
    if (!own.has(fault.line) || fault.error) own.set(fault.line, fault.error ? 'error' : 'warning');
  }
  marks.replaceChildren(...text.value.split('\n').map((line, i) => {
    const mark = document.createElement('span');
    mark.textContent = `${line || ' '}\n`;
    mark.className = own.get(i + 1) ?? '';
    return mark;
  }));
  follow();
  list.replaceChildren(...faults.map((fault) => {
    const item = document.createElement('li');
    item.className = fault.error ? 'error' : 'warning';
    const words = fault.help ? `${fault.message}; ${fault.help}` : fault.message;
    if (fault.file === null) {
      const go = document.createElement('button');
      go.type = 'button';
      go.textContent = `line ${fault.line}, column ${fault.column}`;
      go.addEventListener('click', () => goTo(fault.line, fault.column));
      item.append(go, ` ${fault.error ? '' : 'warning: '}${words}`);
    } else {
      item.textContent = fault.file ? `${fault.file}, line ${fault.line}: ${words}` : words;
    }
    return item;
  }));
}

function goTo(line, column) {
  const lines = text.value.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, it) => sum + it.length + 1, 0);
  // Columns count characters, as the command line does.
  const at = before + [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
  text.focus();
  text.setSelectionRange(at, before + (lines[line - 1] ?? '').length);
}

/** The keys of rules that differ from the ruleset that is extended. */
export const differing = (judged) => Object.keys(judged.values).filter((key) => !['name', 'also', 'about', 'source'].includes(key)
  && judged.values[key] !== judged.parent_values[key]);

/** What differs from the ruleset that is extended. */
export function showDifferences(judged) {
  const all = differing(judged);
  const short = (value) => (value.length > 60 ? `${value.slice(0, 59)}…` : value || 'none');
  const items = all.map((key) => {
    const item = document.createElement('li');
    const name = document.createElement('code');
    name.textContent = key;
    const old = document.createElement('s');
    old.textContent = short(judged.parent_values[key]);
    item.append(name, ' ', old, ' ', short(judged.values[key]));
    return item;
  });
  if (!items.length) {
    const none = document.createElement('li');
    none.className = 'muted';
    none.textContent = 'none';
    items.push(none);
  }
  document.getElementById('differences').replaceChildren(...items);
  document.getElementById('differs-from').textContent = judged.parent;
  document.getElementById('parent').textContent = `extends ${judged.parent}`;
}

// The script in colours, and beside its lines how they are run and how often.

import { functions, meaning, pieces } from './rhai.js';

const area = document.getElementById('script');
const paint = document.getElementById('paint');
const gutter = document.getElementById('gutter');
const list = document.getElementById('faults');

const MOST_COLOURED = 60000;

let words = [];
let known = { faults: [], functions: [] };
let profile = null;
let drawn = '';

export const text = () => area.value;

/** Calls `change` with every new text; `all` are the names of the game. */
export function begin(all, change) {
  words = all;
  area.addEventListener('input', () => {
    // Lines have moved: what was counted is of others.
    profile = null;
    draw();
    change(area.value);
  });
  area.addEventListener('scroll', follow);
  document.addEventListener('selectionchange', () => { if (document.activeElement === area) place(); });
  new ResizeObserver(follow).observe(area);
}

export function put(value) {
  if (area.value === value && drawn === value) return;
  area.value = value;
  area.setSelectionRange(0, 0);
  area.scrollTop = 0;
  profile = null;
  known = { faults: [], functions: [] };
  draw();
}

function follow() {
  paint.style.transform = `translate(${-area.scrollLeft}px, ${-area.scrollTop}px)`;
  gutter.style.transform = `translateY(${-area.scrollTop}px)`;
}

function make(name, className, words) {
  const made = document.createElement(name);
  made.className = className;
  if (words !== undefined) made.textContent = words;
  return made;
}

const count = (n) => (n < 1e4 ? String(n) : n < 1e6 ? `${(n / 1e3).toFixed(n < 1e5 ? 1 : 0)}k` : `${(n / 1e6).toFixed(1)}M`);

function draw() {
  drawn = area.value;
  // A text that long is left in one colour: it would be slow to write in.
  const all = drawn.length > MOST_COLOURED ? [{ kind: '', piece: drawn, at: 0 }] : pieces(drawn);
  const parts = [];
  for (const { kind, piece } of all) {
    const plain = kind === '' || kind === 'name';
    if (plain && typeof parts.at(-1) === 'string') parts[parts.length - 1] += piece;
    else parts.push(plain ? piece : make('span', kind, piece));
  }
  // The last line may be empty, and has its height all the same.
  paint.replaceChildren(...parts, '\n ');
  const lines = drawn.split('\n').length;
  const rows = Array.from({ length: lines }, () => ({ kind: '', fault: '' }));
  for (const it of functions(all)) {
    const told = known.functions.find((other) => other.name === it.name && other.line === it.from);
    for (let line = it.from; told && line <= it.to; line += 1) rows[line - 1].kind = told.compiled ? 'compiled' : 'interpreted';
  }
  for (const fault of known.faults) {
    if (fault.file === null && rows[fault.line - 1] && rows[fault.line - 1].fault !== 'error') rows[fault.line - 1].fault = fault.error ? 'error' : 'warning';
  }
  const hottest = Math.max(...(profile ?? []).map((it) => it?.[1] ?? 0), 1e-9);
  gutter.replaceChildren(...rows.map(({ kind, fault }, i) => {
    const row = make('span', `row ${kind} ${fault}`);
    row.append(make('b', '', String(i + 1)));
    if (profile) {
      const line = profile[i];
      row.append(make('i', 'runs', !line ? '' : line[0] ? count(line[0]) : 'never'));
      const share = make('i', 'share', line?.[0] ? `${(100 * line[1]).toFixed(1)}%` : '');
      share.style.setProperty('--heat', line ? line[1] / hottest : 0);
      row.append(share);
    }
    return row;
  }));
  gutter.parentElement.classList.toggle('profiled', Boolean(profile));
  gutter.parentElement.style.setProperty('--digits', String(lines).length);
  follow();
  place();
}

/** What stands at the cursor, in words. */
function place() {
  const before = area.value.slice(0, area.selectionStart);
  const line = before.split('\n').length;
  const said = [`line ${line}`];
  const function_ = functions(pieces(area.value)).find((it) => it.from <= line && line <= it.to);
  const told = function_ && known.functions.find((it) => it.name === function_.name);
  if (told) said.push(`\`${told.name}\` is ${told.compiled ? 'compiled' : 'interpreted'}`);
  const run = profile?.[line - 1];
  if (run) said.push(run[0] ? `it ran ${run[0].toLocaleString('en-US')} times, ${(100 * run[1]).toFixed(1)}% of the time` : 'it never ran');
  document.getElementById('cursor').textContent = said.join('; ');
  document.getElementById('meaning').textContent = meaning(area.value, area.selectionStart, words);
}

/** Shows what the check says of the text. */
export function judged(told) {
  known = told;
  draw();
  list.replaceChildren(...told.faults.map((fault) => {
    const item = make('li', fault.error ? 'error' : 'warning');
    const said = `${fault.error ? '' : 'warning: '}${fault.message}${fault.help ? `; ${fault.help}` : ''}`;
    if (fault.file === null) item.append(toLine(fault.line, fault.column, `line ${fault.line}, column ${fault.column}`), ` ${said}`);
    else item.textContent = said;
    return item;
  }));
}

/** A button that leads to a place of the text. */
export function toLine(line, column, words) {
  const go = make('button', 'small', words);
  go.type = 'button';
  go.addEventListener('click', () => {
    const lines = area.value.split('\n');
    const from = lines.slice(0, line - 1).reduce((sum, it) => sum + it.length + 1, 0);
    // Columns count characters, as the command line does.
    const at = from + [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
    area.focus();
    area.setSelectionRange(at, from + (lines[line - 1] ?? '').length);
    const height = area.scrollHeight / lines.length;
    area.scrollTop = Math.max((line - 4) * height, 0);
  });
  return go;
}

/** Shows how often each line ran, and its share of the time. */
export function profiled(lines) {
  profile = lines;
  draw();
}

// The designer: every change of the form or the text is judged, and what is sound is played at once.

import { post, stream } from './api.js';
import * as editor from './editor.js';
import { edgeFault, planned, seedFault, watch } from './fields.js';
import { named, save as saveFile } from './files.js';
import * as form from './form.js';
import * as results from './results.js';
import * as sweeps from './sweep.js';
import { state, forget, fromAddress, toAddress } from './state.js';
import * as wishes from './wishes.js';

const by = (id) => document.getElementById(id);
const note = (text) => { by('note').textContent = text; };
const status = (text) => { by('status').textContent = text; };

// ---- What the text says -------------------------------------------------------------------------------------------

let sound = false;
let title = '';
let waiting = Promise.resolve();
let pending = null;

/** Judges the text, after a change if there is one. Judgements are made one after the other; of several changes of one
 *  key that wait, as of a slider, the last is made. */
function judge(change, writing) {
  if (pending && pending.key === change?.key) {
    Object.assign(pending, { change, writing });
    return;
  }
  const mine = { key: change?.key, change, writing };
  pending = mine;
  waiting = waiting.then(async () => {
    if (pending === mine) pending = null;
    try {
      const judged = await post('/api/rules', { name: state.file, text: state.text, change: mine.change ?? null });
      // A key pressed meanwhile makes the text newer than this.
      if (mine.change || judged.text === state.text) shown(judged, mine.writing);
    } catch (error) {
      status(error.message);
    }
  });
}

function shown(judged, writing) {
  state.text = judged.text;
  sound = judged.sound;
  if (writing !== 'text') editor.put(judged.text);
  editor.showFaults(judged.faults);
  form.show(judged, writing);
  note(judged.refused ?? '');
  if (!sound) {
    stop();
    results.stale();
    status('The ruleset has errors; the figures are those of the last one without.');
    toAddress();
    sweeps.changed();
    return;
  }
  title = called(judged);
  editor.showDifferences(judged);
  play();
}

/** What a variant is called: by its name, and what differs in it. */
function called(judged) {
  const plain = (value) => (value.length > 24 ? 'changed' : value.replaceAll('"', ''));
  const all = editor.differing(judged).map((key) => `${key} ${plain(judged.values[key])}`);
  const more = all.length > 3 ? ` and ${all.length - 3} more` : '';
  return `${judged.title}: ${all.slice(0, 3).join(', ') || `as ${judged.parent}`}${more}`;
}

// ---- Games --------------------------------------------------------------------------------------------------------

let run = null;

function stop() {
  run?.abort();
  run = null;
}

/** A seed has 64 bits, more than a number of a script holds: it is sent as a text. */
function withSeed(body) {
  return { ...body, seed: state.seed };
}

async function play() {
  stop();
  toAddress();
  sweeps.changed();
  if (!sound || !state.strategies.length) {
    if (sound) status('Choose a strategy.');
    return;
  }
  const mine = new AbortController();
  run = mine;
  const target = state.target;
  results.expect(state.strategies, target);
  wishes.expect();
  status('Playing');
  const body = withSeed({
    name: state.file,
    text: state.text,
    strategies: state.strategies,
    games: state.games,
    target: target / 100,
    pinned: state.pinned && { name: state.pinned.name, text: state.pinned.text },
    wishes: state.wishes,
  });
  try {
    await stream('/api/play', body, mine.signal, (figures) => {
      results.show(figures, target);
      wishes.show(figures);
    });
    if (run === mine) {
      status('Done.');
      sweeps.follow();
    }
  } catch (error) {
    if (run === mine) status(error.message);
  }
  if (run === mine) run = null;
}

// ---- Files --------------------------------------------------------------------------------------------------------

async function open(choice) {
  const [kind, name] = [choice.slice(0, choice.indexOf(':')), choice.slice(choice.indexOf(':') + 1)];
  try {
    if (kind === 'file') {
      const { text } = await post('/api/file', { name });
      Object.assign(state, { file: name, text, known: text });
    } else {
      Object.assign(state, { file: `my-${name}.toml`, text: `extends = "${name}"\n`, known: null });
    }
  } catch (error) {
    note(error.message);
    return;
  }
  by('file').value = state.file;
  editor.put(state.text);
  judge();
}

async function save() {
  // What is being judged may change the text, and takes away what is noted.
  await waiting;
  const body = { name: state.file, text: state.text, known: state.known };
  if (!await saveFile(body, note)) return false;
  state.known = body.text;
  note(`Saved as ${state.file}.`);
  listed(state.file);
  return true;
}

/** A new file is offered from now on. */
function listed(name) {
  const value = `file:${name}`;
  const select = by('open');
  if ([...select.options].some((it) => it.value === value)) return;
  let group = select.querySelector('optgroup[label="This folder"]');
  if (!group) {
    group = document.createElement('optgroup');
    group.label = 'This folder';
    select.insertBefore(group, select.querySelector('optgroup'));
  }
  const option = new Option(name, value);
  group.append(option);
}

function linked(before, text, href, after) {
  const link = document.createElement('a');
  link.href = href;
  link.textContent = text;
  by('note').replaceChildren(before, link, after);
}

/** What takes minutes is made as a long job, which goes on while this page is closed. Returns its name. */
async function begin(kind, games, more) {
  if (!sound || !await save()) return null;
  try {
    const { name } = await post('/api/jobs/start', withSeed({ kind, rules: state.file, strategies: [], games, ...more }));
    linked(`The report ${name} is being made. It takes minutes; watch it in the `, 'gallery', '/gallery', '.');
    return name;
  } catch (error) {
    note(error.message);
    return null;
  }
}

async function exportReport() {
  const name = await begin('simulate', state.games, { strategies: state.strategies });
  if (!name) return;
  const failed = await wishes.done(name);
  if (failed) return note(failed);
  linked('The report is ', name, `/reports/${encodeURIComponent(name)}/index.html`, '.');
}

function exportPlan() {
  return begin('plan', Math.min(Math.max(state.games, 1000), 100000), { plan: planned() });
}

/** Shows the character of the game above the figures once it is known. */
async function describe() {
  const name = await begin('character', Number(by('deals').value), {});
  if (!name) return;
  by('describe').closest('details').open = false;
  const of = title;
  const failed = await wishes.done(name);
  note(failed);
  if (failed) return;
  by('character').hidden = false;
  by('character').open = true;
  by('character-of').textContent = of;
  by('character-page').src = `/reports/${encodeURIComponent(name)}/index.html`;
}

/** Looks for variants of this ruleset that have what is wished, and lists them. */
async function search(design) {
  const name = await begin('design', Math.min(Math.max(state.games, 1000), 100000), { design });
  if (!name) return;
  by('search').closest('details').open = false;
  const failed = await wishes.done(name);
  note(failed);
  if (failed) return;
  await wishes.list(name, (changes) => changes.forEach((change) => judge(change))).catch((error) => note(error.message));
}

// ---- The line above -----------------------------------------------------------------------------------------------

function strategies() {
  const ticked = [...document.querySelectorAll('input[name=strategy]:checked')].map((it) => it.value);
  const other = by('other').value.trim();
  state.strategies = [...ticked, ...(other ? [other] : [])].slice(0, 6);
  by('strategies-said').textContent = state.strategies.join(', ') || 'none';
  play();
}

function showPinned() {
  by('pinned').hidden = !state.pinned;
  by('pinned-name').textContent = state.pinned?.title ?? '';
}

function showToolbar() {
  by('file').value = state.file;
  const games = by('games');
  if (![...games.options].some((it) => Number(it.value) === state.games)) {
    games.append(new Option(state.games.toLocaleString('en-US'), state.games));
  }
  games.value = state.games;
  by('seed').value = state.seed;
  by('target').value = state.target;
  by('wishes').value = state.wishes.join('\n');
  showTarget();
  const known = [...document.querySelectorAll('input[name=strategy]')];
  for (const box of known) box.checked = state.strategies.includes(box.value);
  by('other').value = state.strategies.filter((name) => !known.some((box) => box.value === name))[0] ?? '';
  by('strategies-said').textContent = state.strategies.join(', ') || 'none';
  showPinned();
}

/** A plan looks for the edge that is wanted, or up to 5 points more. */
function showTarget() {
  by('plan-target').value = `${state.target}%..${Math.min(state.target + 5, 99)}%`;
}

let typing = 0;

function start() {
  fromAddress();
  showToolbar();
  editor.put(state.text);
  editor.onText((text) => {
    state.text = text;
    clearTimeout(typing);
    typing = setTimeout(() => judge(null, 'text'), 200);
  });
  form.bind((key, value) => judge({ key, value }, 'form'), (key) => { if (sound) sweeps.sweep(key); });
  sweeps.bind({ take: (changes) => changes.forEach((change) => judge(change)), failed: note });
  by('toolbar').addEventListener('submit', (event) => event.preventDefault());
  by('open').addEventListener('change', (event) => { if (event.target.value) open(event.target.value); });
  by('file').addEventListener('change', (event) => {
    Object.assign(state, { file: named(event.target.value, '.toml'), known: null });
    event.target.value = state.file;
    judge();
  });
  by('games').addEventListener('change', (event) => { state.games = Number(event.target.value); play(); });
  watch(by('seed'), seedFault, (seed) => {
    state.seed = seed;
    forget('table');
    play();
  });
  watch(by('target'), edgeFault, (edge) => {
    state.target = Number(edge);
    showTarget();
    play();
  });
  by('strategies').addEventListener('change', strategies);
  // Where they lie over the page, they close like menus.
  for (const panel of document.querySelectorAll('details.strategies')) {
    const leave = (event) => { if (window.matchMedia('(min-width:760px)').matches && !panel.contains(event.target)) panel.open = false; };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    panel.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !panel.open) return;
      panel.open = false;
      panel.querySelector('summary').focus();
    });
  }
  by('save').addEventListener('click', save);
  by('export').addEventListener('click', exportReport);
  by('export-plan').addEventListener('click', exportPlan);
  by('describe').addEventListener('click', describe);
  wishes.bind(play, search);
  by('stop').addEventListener('click', () => { stop(); sweeps.stop(); status('Stopped.'); });
  by('pin').addEventListener('click', () => {
    if (!sound) return;
    state.pinned = { name: state.file, text: state.text, title };
    showPinned();
    by('pinned').scrollIntoView({ block: 'nearest' });
    play();
  });
  by('unpin').addEventListener('click', () => { state.pinned = null; showPinned(); play(); });
  window.addEventListener('hashchange', () => { fromAddress(); showToolbar(); editor.put(state.text); judge(); });
  judge();
}

start();
